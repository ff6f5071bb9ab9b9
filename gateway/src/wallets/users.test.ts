import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedUser, signIn } from '../../test/support/fixtures.ts';
import { transaction } from '../kit/db/db.ts';
import { createUser, findUserIds } from './users.ts';

const { db } = await testDatabase();
const jane = await seedUser(db, 'jane_doe', 'right password');

test('a user signs in with the right password alone', async () => {
  expect(await signIn(db, 'jane_doe', 'right password')).toBe(jane);
  expect(await signIn(db, 'jane_doe', 'wrong password')).toBeNull();
  expect(await signIn(db, 'jane_doe', '')).toBeNull();
  expect(await signIn(db, 'Jane_Doe', 'right password')).toBe(jane);
});

test('nobody signs in as somebody who does not exist, whatever the password', async () => {
  expect(await signIn(db, 'nobody', 'nobody')).toBeNull();
});

test('a password is never stored as it is', async () => {
  const { rows } = await db.query<{ password_hash: string }>('SELECT password_hash FROM users');
  for (const { password_hash } of rows) expect(password_hash).toMatch(/^\$argon2id\$/);
});

test('a username is given once', async () => {
  const again = transaction(db, (tx) => createUser(tx, { username: 'jane_doe', password: 'x' }, new Date()));
  await expect(again).rejects.toThrow('unique');
  const alike = { username: 'Jane.D0e', password: 'x' };
  await expect(transaction(db, (tx) => createUser(tx, alike, new Date()))).rejects.toThrow('unique');
});

test('only usernames that exist are found, each once', async () => {
  expect(await findUserIds(db, ['jane_doe', 'nobody', 'jane_doe'])).toEqual(new Map([['jane_doe', jane]]));
  expect(await findUserIds(db, [])).toEqual(new Map());
});
