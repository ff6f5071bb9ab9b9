import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { transaction } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import { memoOf } from './memo-code.ts';
import { memoOfOwner, openMemos } from './memos.ts';
import { candidates, nearMemos } from './near-memos.ts';

const memo = memoOf(0x7e5f_0c93a1n);

/** The character at a place becomes another one. */
const wrongAt = (at: number): string =>
  memo.slice(0, at) + (memo[at] === '7' ? 'X' : '7') + memo.slice(at + 1);
const places = [...memo].keys().toArray();

test.each([
  ['wrong', wrongAt],
  ['missing', (at: number) => memo.slice(0, at) + memo.slice(at + 1)],
  ['too many', (at: number) => `${memo.slice(0, at)}Z${memo.slice(at)}`],
  [
    'swapped',
    (at: number) => memo.slice(0, at) + [...memo.slice(at, at + 2)].reverse().join('') + memo.slice(at + 2),
  ],
] as const)('a memo with one character %s is found, wherever it is', (_, mistake) => {
  for (const at of places) expect(candidates(mistake(at))).toContain(memo);
});

test.each([
  memo,
  `memo: ${memo}`,
  `order 17 ${memo.toLowerCase()} thanks`.slice(0, 40),
  `${memo.slice(0, 5)}-${memo.slice(5)}`,
  `${memo.slice(0, 4)}.${memo.slice(4)}.`,
])('a memo is found in what was written around it: %s', (text) => {
  expect(candidates(text)).toContain(memo);
});

test.each(['', 'thanks', 'a memo with ten thousand letters '.repeat(300), '💸💸💸💸💸💸💸💸💸💸'])(
  'other text is near to none: %#',
  (text) => {
    expect(candidates(text)).toEqual([]);
  },
);

const { db } = await testDatabase();

test('of candidates only those that payments have are named', async () => {
  const payments = Array.from({ length: 50 }, () => newId());
  await transaction(db, (tx) => openMemos(tx, payments, new Date()));
  for (const id of payments.slice(0, 5)) {
    const own = (await memoOfOwner(db, id))!;
    expect(await nearMemos(db, `${own.slice(0, 3)}${own.slice(4)}`)).toEqual([id]);
    expect(await nearMemos(db, `x${own}y`)).toEqual([id]);
  }
  expect(await nearMemos(db, memoOf(0x5b1e_44d208n))).toEqual([]);
});
