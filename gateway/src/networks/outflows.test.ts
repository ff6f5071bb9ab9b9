import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { auditFindings, openShop, type Shop, write } from '../../test/support/payment-fixtures.ts';
import { newId } from '../kit/ids.ts';
import { netByCause } from '../ledger/by-cause.ts';
import type { Outflow } from '../rails/rail.ts';
import { bookOutflow } from './outflows.ts';

const { db } = await testDatabase();
let shop: Shop;
let outflow: Outflow;
let settled: Outflow[];
beforeEach(async () => {
  shop = await openShop(db, {}, { mode: 'live' });
  settled = [];
  outflow = {
    ...{ rail: 'pi', key: newId(), ledgerId: newId(), feeLedgerId: newId(), transaction: newId() },
    ...{ asset: 'pi', units: 70n, fee: 3n, sendId: null, to: 'GSOMEBODY', at: shop.clock.now() },
  };
});

const book = (reported: Outflow = outflow) =>
  write(shop, (tx) =>
    bookOutflow(tx, reported, { mode: 'live', now: shop.clock.now() }, async (_, each) => {
      settled.push(each);
    }),
  );

const left = async (cause: string) =>
  (await netByCause(db, cause)).map(({ kind, owner, units }) => [`${kind} ${owner}`, units]);

test('the fee of what somebody with the key took is paid out of fees; once', async () => {
  await book();
  await Promise.all([book(), book()]);
  expect(await left(outflow.ledgerId)).toEqual([
    ['external pi', 3n],
    ['fees ', -3n],
  ]);
  expect(settled).toEqual([]);
  expect(await auditFindings(db)).toEqual([]);
});

test('what an order of ours sent is settled by its order, with the fee booked here', async () => {
  const sendId = newId();
  await book({ ...outflow, sendId });
  expect(settled).toMatchObject([{ sendId, units: 70n }]);
  expect(await left(sendId)).toEqual([
    ['external pi', 3n],
    ['fees ', -3n],
  ]);
});

test('a movement whose transaction’s fee another one bears books none', async () => {
  await book({ ...outflow, fee: 0n });
  expect(await left(outflow.ledgerId)).toEqual([]);
});

test('where the order cannot be settled nothing is booked', async () => {
  const reported = { ...outflow, sendId: newId() };
  const refused = write(shop, (tx) =>
    bookOutflow(tx, reported, { mode: 'live', now: shop.clock.now() }, async () => {
      throw new Error('No such order');
    }),
  );
  await expect(refused).rejects.toThrow('No such order');
  expect(await left(reported.sendId)).toEqual([]);
});
