import { expect, test } from 'vitest';
import {
  confirmAddressLetter,
  endpointDisabledLetter,
  invitationLetter,
  resetPasswordLetter,
  securityLetter,
} from './mail-texts.ts';

const url = 'https://pay.example/app/somewhere?token=a&b';
const merchant = '<b>Nib & Folio</b>';

test.each([
  ['Confirm your e-mail address', confirmAddressLetter(url)],
  ['Choose a new password', resetPasswordLetter(url)],
  [`You are invited to ${merchant}`, invitationLetter({ merchant, by: 'Ada <ada>', role: 'finance', url })],
  [
    `${merchant}: webhooks to shop.example were turned off`,
    endpointDisabledLetter({
      integration: merchant,
      mode: 'live',
      address: 'https://shop.example/hook',
      why: 'It answered 410',
      url,
    }),
  ],
])('%s: the link stands in the text as it is, and in HTML escaped', (subject, letter) => {
  expect(letter.subject).toBe(subject);
  expect(letter.text).toContain(`\n${url}\n`);
  expect(letter.html!.markup).toContain('href="https://pay.example/app/somewhere?token=a&amp;b"');
  expect(letter.html!.markup).not.toContain('<b>');
});

test('a warning says what was done, from where, and what to do', () => {
  const { subject, text } = securityLetter('the password was changed', '203.0.113.7');
  expect(subject).toBe('For your account the password was changed');
  expect(text).toContain('203.0.113.7');
  expect(text).toContain('If this was not you');
});
