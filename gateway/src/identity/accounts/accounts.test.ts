import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { transaction } from '../../kit/db/db.ts';
import { accountByEmail, createAccount, passwordHashOf } from './accounts.ts';
import { isPassword } from './passwords.ts';

const password = 'correct horse battery';
const { db } = await testDatabase();

const make = (email: string, more = {}) =>
  transaction(db, (tx) => createAccount(tx, { email, name: 'Ada', password, ...more }, new Date()));

test('an account is found by its address in any case, and keeps the password it was made with', async () => {
  const id = await make('Ada@Example.com');
  expect(await accountByEmail(db, 'ADA@example.com')).toEqual({ id, emailVerified: false });
  const hash = await passwordHashOf(db, id);
  expect(await isPassword(hash!, password)).toBe(true);
  expect(await isPassword(hash!, `${password} `)).toBe(false);
});

test('there is one account for each address', async () => {
  await make('grace@example.com', { emailVerified: true });
  await expect(make('GRACE@example.com')).rejects.toThrow('There is an account with this address already');
});

test.each([
  '',
  'ada',
  'ada@',
  '@example.com',
  'a..b@example.com',
  'ada@localhost',
  `${'a'.repeat(250)}@example.com`,
])('no account is made with the address %j', async (email) => {
  await expect(make(email)).rejects.toThrow('must be an e-mail address');
});
