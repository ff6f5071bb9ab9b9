import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

test.each([
  'password1234',
  'Password123!',
  'P@ssw0rd1234',
  'passwordpassword',
  'password password',
  '123password123',
  'qwerty123456',
  'qwertyuiop12',
  'qwertyuiop[]',
  '1q2w3e4r5t6y',
  '1qaz2wsx3edc',
  'zaq12wsxcde3',
  'asdfghjkl123',
  'abcdefghijkl',
  'abc123abc123',
  'zyxwvutsrqponm',
  '123456789012',
  '012345678901',
  '098765432109',
  '111111111111',
  '121212121212',
  '19900101-2000',
  '+49 170 1234567',
  'aaaaaaaaaaaa',
  'xyzxyzxyzxyzx',
  'iloveyou1234',
  'iloveyou!!!!',
  'letmein12345',
  'welcome2024!',
  'Summer2024!!',
  'administrator',
  'admin1234567',
  'Admin@123456',
  'sunshine2024',
  'trustno1trustno1',
  'florinflorin',
  'florin-admin-1',
  'bitcoin12345',
  'passwort1234',
  'azertyuiop12',
  '!@#$%^&*()_+',
  '            ',
])('%j is common', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

test.each([
  'correct horse battery',
  'four words in a row',
  'a wholly new password',
  'long enough words',
  'blue teapot 1987',
  'passwordXk29',
  'xK9#mQ2vL7pd',
  'monkey dragon sunshine',
  'password7#9!2@4$',
  'schöne grüße heute',
  '正确的马电池订书钉很长吗',
  'ночь улица фонарь',
])('%j is not', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});

test('16 random letters and digits, which commands and the demo make, are never common', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
  const generated = fc.array(fc.constantFrom(...letters), { minLength: 16, maxLength: 16 });
  fc.assert(fc.property(generated, (chosen) => !isCommonPassword(chosen.join(''))));
});

test('the longest password is judged within a moment, whatever it holds', () => {
  const began = process.cpuUsage();
  for (const text of [
    'a1'.repeat(64),
    'pass1!'.repeat(21),
    '1!0$'.repeat(32),
    '!il1'.repeat(32),
    'x'.repeat(128),
  ]) {
    isCommonPassword(`${text.slice(0, 127)}é`);
  }
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(1_000);
});
