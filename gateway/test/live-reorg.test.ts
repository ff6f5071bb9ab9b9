import { expect, test } from 'vitest';
import { startEvmWorld, worldAssets } from './schedules/rail-worlds.ts';
import { testDatabase } from './support/database.ts';
import { auditFindings, eventTypesOf, ledgerOf, spend, statusOf } from './support/payment-fixtures.ts';

// A chain without finality goes back further than the confirmations that it is asked for.

const { db } = await testDatabase();
const openWorld = await startEvmWorld({ finality: 'confirmations' });
const whole = 10_000_000n;
const asset = worldAssets.six;

test('a payment whose money was spent already is corrected when its blocks go, and again when it is paid', async () => {
  const world = await openWorld(db);
  const { shop } = world;
  const payment = await shop.create();
  await world.send(payment, [{ asset, units: whole }]);
  await world.settle();
  expect(await statusOf(shop, payment)).toBe('completed');
  await spend(shop, 9_900_000n);

  await world.reorg!(8);
  expect(await statusOf(shop, payment)).toBe('in-appeal reorg');
  expect(await ledgerOf(db, payment)).toEqual({ business: 9_900_000n, receivable: -9_900_000n });
  expect(await auditFindings(db)).toEqual([]);

  await world.restart();
  await world.send(payment, [{ asset, units: whole }]);
  await world.look();
  expect(await statusOf(shop, payment)).toBe('in-appeal reorg');
  await world.settle();
  expect(await statusOf(shop, payment)).toBe('completed covered_again');
  expect(await ledgerOf(db, payment)).toEqual({
    external: -whole,
    business: 9_900_000n,
    fees: 100_000n,
  });
  expect(await eventTypesOf(db, payment)).toEqual(['completed', 'in_appeal', 'appeal_closed']);
  expect(await auditFindings(db)).toEqual([]);
});
