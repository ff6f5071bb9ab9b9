import { expect, test } from 'vitest';
import { seedPerson } from '../../../test/notices/person.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { after } from '../../kit/clock.ts';
import { transaction } from '../../kit/db/db.ts';
import { makeCode, useCode } from './codes.ts';

const { db } = await testDatabase();
const now = new Date('2026-03-01T12:00:00Z');
const { accountId } = await seedPerson(db);

const make = (at = now) => transaction(db, (tx) => makeCode(tx, accountId, at));
const use = (code: string, at = now) => transaction(db, (tx) => useCode(tx, code, at));

test('a code says whose chat it links, once, however it is written', async () => {
  const { code } = await make();
  expect(await use(code.toLowerCase())).toBe(accountId);
  expect(await use(code)).toBeNull();
});

test('a code is good for ten minutes, and no longer', async () => {
  const first = await make();
  expect(first.expiresAt).toEqual(after(now, 600));
  expect(await use(first.code, after(now, 599))).toBe(accountId);
  const second = await make();
  expect(await use(second.code, after(now, 600))).toBeNull();
});

test('a new code takes the place of the one before', async () => {
  const first = await make();
  const second = await make();
  expect(await use(first.code)).toBeNull();
  expect(await use(second.code)).toBe(accountId);
});
