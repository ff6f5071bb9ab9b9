import { beforeEach, describe, expect, test } from 'vitest';
import { cancelPayment, linkPayment } from '../src/payments/act.ts';
import { expireDue } from '../src/payments/expire.ts';
import type { Payment } from '../src/payments/payment.ts';
import { transfersOf } from '../src/payments/received.ts';
import { testDatabase } from './database.ts';
import { auditFindings, eventTypesOf, ledgerOf, standing, write } from './payment-fixtures.ts';
import { type RailWorld, simulatedWorld, startEvmWorld, worldAssets } from './rail-worlds.ts';

// What every rail must do for payments, whatever its chain is like: contract.md 5 from the customer's transfer to
// the merchant's balance, with a restart between any two steps.

const { six, eighteen, other } = worldAssets;
const whole = 10_000_000n;
const half = 5_000_000n;
const inEighteen = (units: bigint): bigint => units * 10n ** 12n;

const { db } = await testDatabase();
const worlds = { simulated: simulatedWorld, evm: await startEvmWorld() };

type Name = keyof typeof worlds;
const names = Object.keys(worlds) as Name[];

describe.each(names)('the rail %s', (name) => {
  let world: RailWorld;
  let payment: Payment;
  beforeEach(async () => {
    world = await worlds[name](db);
    payment = await world.shop.create();
  });

  const status = () => standing(world.shop, payment);
  const ledger = (asset: string = six) => ledgerOf(db, payment, asset);
  const events = () => eventTypesOf(db, payment);
  const send = (units: bigint, asset: string = six) => world.send(payment, [{ asset, units }]);
  const link = () => write(world.shop, (tx) => linkPayment(tx, world.shop.deps, payment.id, six));

  /** Time passes for the payment, and what became due happens. */
  async function pass(seconds: number): Promise<void> {
    world.shop.clock.advance(seconds);
    await world.look();
    await expireDue(db, world.shop.deps);
  }

  test('a full transfer is pending when it is seen, and completed when it is final', async () => {
    await link();
    await send(whole);
    await world.look();
    expect(await status()).toBe('pending');
    expect(await ledger()).toEqual({});
    await world.settle();
    expect(await status()).toBe('completed');
    expect(await ledger()).toEqual({ external: -whole, business: 9_900_000n, fees: 100_000n });
    expect(await events()).toEqual(['linked', 'pending', 'completed']);
    const [transfer] = await transfersOf(db, payment.id);
    expect(transfer).toMatchObject({ rail: world.rail, asset: six, units: whole, needed: 3 });
    expect(transfer!.sender).not.toBeNull();
  });

  test('two halves on networks with other decimals pay together, to the last unit', async () => {
    await send(half);
    await world.look();
    await send(inEighteen(half) - 1n, eighteen);
    await world.settle();
    expect(await status()).toBe('pending');
    await send(1n, eighteen);
    await world.settle();
    expect(await status()).toBe('completed');
    expect(await ledger(eighteen)).toMatchObject({ external: -inEighteen(half) });
    expect(await auditFindings(db)).toEqual([]);
  });

  test('several transfers that come together are each counted once', async () => {
    await world.send(
      payment,
      [1n, 2n, 3n, 4n].map((part) => ({ asset: six, units: part * 1_000_000n })),
    );
    await world.settle();
    await world.look();
    expect(await status()).toBe('completed');
    expect(await transfersOf(db, payment.id)).toHaveLength(4);
    expect(await ledger()).toMatchObject({ external: -whole });
  });

  test("too much is the customer's surplus, and so is what comes after completion", async () => {
    await send(whole + half);
    await world.settle();
    expect(await ledger()).toMatchObject({ payable: half, business: 9_900_000n });
    await send(half);
    await world.settle();
    expect(await status()).toBe('completed');
    expect(await ledger()).toEqual({
      external: -(whole + half + half),
      ...{ business: 9_900_000n, fees: 100_000n, payable: half + half },
    });
    expect((await events()).at(-1)).toBe('completed');
  });

  test('too little by the deadline is in appeal, with its money in suspense', async () => {
    await link();
    await send(half);
    await world.settle();
    await pass(601);
    expect(await status()).toBe('in-appeal part_paid');
    expect(await ledger()).toEqual({ external: -half, suspense: half });
  });

  test('what was seen by the deadline counts, though it is final later', async () => {
    await link();
    await pass(590);
    await send(whole);
    await world.look();
    await pass(15);
    expect(await status()).toBe('pending');
    await world.settle();
    expect(await status()).toBe('completed');
  });

  test('the full amount inside the late window completes an abandoned payment', async () => {
    await pass(601);
    expect(await status()).toBe('cancelled abandoned');
    await send(whole);
    await world.settle();
    expect(await status()).toBe('completed');
    expect(await events()).toEqual(['abandoned', 'completed']);
  });

  test('too little inside the late window is in appeal when the window ends', async () => {
    await pass(601);
    await send(half);
    await world.settle();
    expect(await status()).toBe('cancelled abandoned');
    await pass(24 * 3600);
    expect(await status()).toBe('in-appeal late');
  });

  test('money for a cancelled payment is in appeal at once', async () => {
    await write(world.shop, (tx) => cancelPayment(tx, world.shop.deps, payment.id, 'customer'));
    await send(whole);
    await world.look();
    expect(await status()).toBe('cancelled customer');
    await world.settle();
    expect(await status()).toBe('in-appeal paid_after_end');
    expect(await ledger()).toEqual({ external: -whole, suspense: whole });
  });

  test('a token of another currency pays nothing, and waits in suspense', async () => {
    await send(inEighteen(whole), other);
    await world.settle();
    expect(await status()).toBe('unlinked');
    expect(await ledger(other)).toEqual({ external: -inEighteen(whole), suspense: inEighteen(whole) });
    await send(whole);
    await world.settle();
    expect(await status()).toBe('completed');
    expect(await ledger(other)).toMatchObject({ suspense: inEighteen(whole) });
  });

  test('a restart between any two steps changes nothing', async () => {
    await world.restart();
    await send(half);
    await world.restart();
    await world.look();
    await world.restart();
    await world.look();
    await send(half);
    await world.restart();
    await world.settle();
    await world.restart();
    await world.settle();
    expect(await status()).toBe('completed');
    expect(await ledger()).toEqual({ external: -whole, business: 9_900_000n, fees: 100_000n });
    expect(await events()).toEqual(['pending', 'completed']);
    expect(await auditFindings(db)).toEqual([]);
  });
});
