import { expect, test } from 'vitest';

import { testDatabase } from '../../../test/support/database.ts';
import { testClock } from '../../../test/support/fixtures.ts';
import { openShop, report } from '../../../test/support/payment-fixtures.ts';
import { transferIs } from './transfer-lookup.ts';

const { db } = await testDatabase();

/** The keys of the transfers with one of these transactions or senders. */
async function found(column: 'transaction' | 'sender', texts: string[]) {
  const text = `SELECT key FROM payment_transfers t WHERE ${transferIs('t', column, '$1::text[]')} ORDER BY key`;
  const { rows } = await db.query<{ key: string }>(text, [texts]);
  return rows.map(({ key }) => key);
}

test('a transfer is found by its transaction and by its sender, whenever it was seen', async () => {
  for (const [index, day] of ['2019-12-31', '2020-01-01', '2026-11-30', '2050-03-12'].entries()) {
    const shop = await openShop(db, {}, { clock: testClock(new Date(`${day}T23:59:59Z`)) });
    for (const of of ['one', 'other']) {
      const payment = await shop.create();
      await report(shop, payment, { key: `${of} ${index}`, units: 5_000_000n });
    }
  }
  await db.query("UPDATE payment_transfers SET sender = split_part(key, ' ', 1)");
  for (const each of [0, 1, 2, 3]) {
    expect(await found('transaction', [`test_one ${each}`])).toEqual([`test_one ${each}`]);
  }
  expect(await found('transaction', ['test_one 0', 'test_other 3', 'test_none'])).toEqual([
    'test_one 0',
    'test_other 3',
  ]);
  expect(await found('sender', ['test_one'])).toEqual([0, 1, 2, 3].map((each) => `test_one ${each}`));
  expect(await found('sender', [])).toEqual([]);
});
