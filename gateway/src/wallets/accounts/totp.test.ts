import { expect, test } from 'vitest';
import { base32, codeOf, matchingStep, stepOf, totpAddress } from './totp.ts';

// RFC 6238, appendix B: SHA-1, of which six digits are shown.
const secret = Buffer.from('12345678901234567890');

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at second %i is %s', (seconds, code) => {
  expect(codeOf(secret, stepOf(new Date(seconds * 1000)))).toBe(code);
});

test('a code is good in its step and in those beside it, and never before the last one that was taken', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const step = stepOf(now);
  for (const shift of [-1, 0, 1]) {
    expect(matchingStep(secret, codeOf(secret, step + shift), now, 0)).toBe(step + shift);
  }
  for (const shift of [-2, 2]) expect(matchingStep(secret, codeOf(secret, step + shift), now, 0)).toBeNull();
  expect(matchingStep(secret, codeOf(secret, step), now, step)).toBeNull();
  expect(matchingStep(secret, '', now, 0)).toBeNull();
  expect(matchingStep(secret, '12345é', now, 0)).toBeNull();
});

test('the secret is in the address of the app in base 32 (RFC 4648)', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  const address = new URL(totpAddress(secret, 'Florin', 'ada'));
  expect([address.protocol, address.pathname, address.searchParams.get('secret')]).toEqual([
    'otpauth:',
    '/Florin:ada',
    base32(secret),
  ]);
});
