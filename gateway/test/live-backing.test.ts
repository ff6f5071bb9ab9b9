import { describe, expect, test } from 'vitest';
import type { Payment } from '../src/payments/payment/payment.ts';
import { missingUnits, receivedUnits, transfersOf } from '../src/payments/settlement/received.ts';
import { type RpcProxy, startRpcProxy } from './chain/rpc-proxy.ts';
import { deployOddToken } from './chain/test-tokens.ts';
import { type RailWorld, startEvmWorld, worldAssets } from './schedules/rail-worlds.ts';
import { testDatabase } from './support/database.ts';
import { auditFindings, eventTypesOf, ledgerOf, pass, statusOf } from './support/payment-fixtures.ts';

// What addresses hold is what is credited, when two endpoints tell so.

const { db } = await testDatabase();
const whole = 10_000_000n;
const asset = worldAssets.six;

/** What the page says has come, and what it asks for, in the asset's units. */
async function moneyOf(
  { shop }: RailWorld,
  payment: Payment,
): Promise<{ received: bigint; missing: bigint }> {
  const transfers = await transfersOf(db, payment.id);
  const coarse = 10n ** 12n;
  return {
    received: receivedUnits(shop.assets, payment, transfers) / coarse,
    missing: missingUnits(shop.assets, payment, transfers) / coarse,
  };
}

describe('an endpoint that tells wrong balances', async () => {
  let proxies: RpcProxy[] = [];
  const openWorld = await startEvmWorld({}, async ({ rpcUrl }) => {
    proxies = await Promise.all([1, 2].map(() => startRpcProxy(rpcUrl)));
    return { rpcUrls: proxies.map(({ url }) => url) };
  });

  test.each([0, 1])('as the one at %i of two neither fails a payment nor asks for it again', async (at) => {
    const world = await openWorld(db);
    const payment = await world.shop.create();
    proxies[at]!.faults.balances = () => '0x0';
    await world.send(payment, [{ asset, units: whole }]);
    await world.look();
    await world.settle();
    expect(await statusOf(world.shop, payment)).toBe('pending');
    // Past its deadline, and past all patience.
    for (let hour = 0; hour < 6; hour += 1) {
      await pass(world.shop, 3_600);
      await world.look();
    }
    expect(await statusOf(world.shop, payment)).toBe('pending');
    expect(await moneyOf(world, payment)).toEqual({ received: whole, missing: 0n });
    proxies[at]!.mend();
    await pass(world.shop, 60);
    await world.look();
    expect(await statusOf(world.shop, payment)).toBe('completed');
    expect(await eventTypesOf(db, payment)).toEqual(['pending', 'completed']);
    expect(await auditFindings(db)).toEqual([]);
  });
});

describe('a token that keeps a hundredth of each transfer and logs the whole', async () => {
  const openWorld = await startEvmWorld({ finality: 'confirmations' }, async (chain) => {
    await deployOddToken(chain, 'LyingFeeToken', { asset, scale: 6 });
    const proxies = await Promise.all([1, 2].map(() => startRpcProxy(chain.rpcUrl)));
    return { rpcUrls: proxies.map(({ url }) => url) };
  });

  test('pays with what its address holds, and the rest can follow', async () => {
    const world = await openWorld(db);
    const payment = await world.shop.create();
    await world.send(payment, [{ asset, units: whole }]);
    await world.look();
    expect(await moneyOf(world, payment)).toEqual({ received: whole, missing: 0n });
    await world.settle();
    expect(await statusOf(world.shop, payment)).toBe('pending');
    expect(await moneyOf(world, payment)).toEqual({ received: 9_900_000n, missing: 100_000n });
    expect(await ledgerOf(db, payment)).toEqual({ external: -9_900_000n, suspense: 9_900_000n });
    await world.send(payment, [{ asset, units: 200_000n }]);
    await world.settle();
    expect(await statusOf(world.shop, payment)).toBe('completed');
    const { external } = await ledgerOf(db, payment);
    expect(external).toBe(-10_098_000n);
    expect(await auditFindings(db)).toEqual([]);
  });

  test('is short of money for people to settle when nothing follows', async () => {
    const world = await openWorld(db);
    const payment = await world.shop.create();
    await world.send(payment, [{ asset, units: whole }]);
    await world.settle();
    await pass(world.shop, 3_600);
    await world.settle();
    await pass(world.shop, 60);
    expect(await statusOf(world.shop, payment)).toBe('in-appeal part_paid');
    expect(await moneyOf(world, payment)).toMatchObject({ received: 9_900_000n });
  });

  test('is booked back with what was booked, when its block leaves the chain', async () => {
    const world = await openWorld(db);
    const payment = await world.shop.create();
    await world.send(payment, [{ asset, units: whole }]);
    await world.settle();
    await world.reorg!(8);
    expect(await ledgerOf(db, payment)).toEqual({});
    await world.send(payment, [{ asset, units: whole }]);
    await world.settle();
    expect(await ledgerOf(db, payment)).toEqual({ external: -9_900_000n, suspense: 9_900_000n });
    expect(await auditFindings(db)).toEqual([]);
  });
});
