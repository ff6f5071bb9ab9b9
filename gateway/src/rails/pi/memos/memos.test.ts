import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { transaction } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import { memoOf } from './memo-code.ts';
import { memoOfOwner, openMemos } from './memos.ts';

const now = new Date('2026-03-01T12:00:00Z');
const { db } = await testDatabase();
const open = (ids: string[], draw?: () => bigint) =>
  transaction(db, (tx) => openMemos(tx, ids, now, ...(draw ? [draw] : [])));

test('many payments get a memo each, and no two the same', async () => {
  const ids = Array.from({ length: 500 }, () => newId(now));
  await open(ids);
  const memos = await Promise.all(ids.map((id) => memoOfOwner(db, id)));
  expect(new Set(memos).size).toBe(ids.length);
  expect(memos).not.toContain(null);
});

test("who draws another payment's memo draws again", async () => {
  const ids = [newId(now), newId(now), newId(now)];
  const numbers = [7n, 7n, 8n, 8n, 9n];
  await open(ids, () => numbers.shift()!);
  const memos = await Promise.all(ids.map((id) => memoOfOwner(db, id)));
  expect(memos.sort()).toEqual([7n, 8n, 9n].map(memoOf).sort());
});
