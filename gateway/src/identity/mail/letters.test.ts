import { expect, test } from 'vitest';
import { permissionWords } from '../roles.ts';
import {
  confirmAddressLetter,
  endpointDisabledLetter,
  invitationLetter,
  resetPasswordLetter,
  securityLetter,
} from './letters.ts';

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
      why: 'Every attempt failed for 7 days',
      failingSince: new Date('2026-11-14T06:01:30Z'),
      lastFailure: {
        at: new Date('2026-11-21T06:18:00Z'),
        error: 'Answered 500',
        response: 'no\n<b>database</b>',
      },
      url,
    }),
  ],
])('%s: the text has the link unchanged, the HTML has it escaped', (subject, letter) => {
  expect(letter.subject).toBe(subject);
  expect(letter.text).toContain(`\n${url}\n`);
  expect(letter.html!.markup).toContain('href="https://pay.example/app/somewhere?token=a&amp;b"');
  expect(letter.html!.markup).not.toContain('<b>');
});

test('an invitation says whether its role moves money, in the words of the table of roles', () => {
  const textFor = (role: 'finance' | 'support') => invitationLetter({ merchant, by: 'Ada', role, url }).text;
  expect(textFor('finance')).toContain(`It moves money. It may: ${permissionWords['make payouts']}; `);
  expect(textFor('support')).toContain('Your role would be: support. It moves no money.');
});

test('the mail about a disabled endpoint says since when it fails, what failed last, and how to activate it', () => {
  const about = {
    integration: 'Shop',
    mode: 'live',
    address: 'https://shop.example/hook',
    why: 'Every attempt failed for 7 days',
    failingSince: new Date('2026-11-14T06:01:30Z'),
    url,
  };
  const lastFailure = { at: new Date('2026-11-21T06:18:00Z'), error: 'Answered 500', response: 'no\ndisk' };
  const { text } = endpointDisabledLetter({ ...about, lastFailure });
  expect(text).toContain('Every attempt failed for 7 days, the first one at 2026-11-14 06:01 UTC.');
  expect(text).toContain(
    'The last attempt failed at 2026-11-21 06:18 UTC: Answered 500. It answered: no disk',
  );
  expect(text).toContain('choose Activate');
  expect(endpointDisabledLetter({ ...about, lastFailure: null }).text).not.toContain('The last attempt');
});

test('a warning says what was done, from where, and what to do', () => {
  const { subject, text } = securityLetter('the password was changed', 'the address 203.0.113.7');
  expect(subject).toBe('For your account the password was changed');
  expect(text).toContain('the address 203.0.113.7');
  expect(text).toContain('If this was not you');
});
