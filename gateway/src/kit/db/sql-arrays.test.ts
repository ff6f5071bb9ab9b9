import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { plainArray, textArray } from './sql-arrays.ts';

const { db } = await testDatabase(1);

async function read(type: string, value: unknown): Promise<unknown> {
  const { rows } = await db.query(`SELECT $1::${type} AS value`, [value]);
  return rows[0].value;
}

test('text of every kind arrives as it is', async () => {
  const values = ['plain', '', null, 'NULL', '{"a": "b,\\c"}', 'zoë \u{1F600}\n', "it's"];
  expect(await read('text[]', textArray(values))).toEqual(values);
  expect(await read('text[]', textArray([]))).toEqual([]);
});

test('numbers, identifiers and words arrive as they are', async () => {
  const id = '019aa1d2-9b1c-7d22-8f0a-2d6c1b7e4a90';
  expect(await read('integer[]', plainArray([1, null, -3]))).toEqual([1, null, -3]);
  expect(await read('float8[]', plainArray([1.5, null]))).toEqual([1.5, null]);
  expect(await read('uuid[]', plainArray([id]))).toEqual([id]);
  expect(await read('boolean[]', plainArray([true, false]))).toEqual([true, false]);
  expect(await read('text[]', plainArray([]))).toEqual([]);
});
