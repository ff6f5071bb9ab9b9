import { beforeEach, describe, expect, test } from 'vitest';
import { createAssets } from '../src/money/assets.ts';
import { rescale } from '../src/money/money.ts';
import type { Payment } from '../src/payments/payment/payment.ts';
import { cancelPayment, linkPayment } from '../src/payments/settlement/act.ts';
import { expireDue } from '../src/payments/settlement/expire.ts';
import { transfersOf } from '../src/payments/settlement/received.ts';
import { piTraits, startPiWorld } from './pi/rail-world.ts';
import {
  confirmedTraits,
  type OpenWorld,
  type RailTraits,
  type RailWorld,
  simulatedWorld,
  startEvmWorld,
} from './schedules/rail-worlds.ts';
import { testDatabase } from './support/database.ts';
import { auditFindings, eventTypesOf, ledgerOf, statusOf, write } from './support/payment-fixtures.ts';

// What every rail must do for payments, whatever its chain is like: contract.md#states from the customer's transfer to
// the merchant's balance, with a restart between any two steps. What only Pi has is in rail-conformance-pi.test.ts.

const { db } = await testDatabase();
const rails: { name: string; traits: RailTraits; open: OpenWorld }[] = [
  { name: 'simulated', traits: confirmedTraits, open: simulatedWorld },
  { name: 'evm', traits: confirmedTraits, open: await startEvmWorld() },
  { name: 'pi', traits: piTraits, open: await startPiWorld() },
];

describe.each(rails)('the rail $name', ({ traits, open }) => {
  const { own, sibling, foreign, isFinalAtOnce } = traits;
  const assets = createAssets();
  const { scale } = assets.get(own);
  const whole = 10n * 10n ** BigInt(scale);
  const half = whole / 2n;
  // What the merchant gets of it, and what its fee is.
  const [net, fee] = [(whole * 99n) / 100n, whole / 100n];
  let world: RailWorld;
  let payment: Payment;
  beforeEach(async () => {
    world = await open(db);
    payment = await world.shop.create({ currency: traits.currency });
  });

  const status = () => statusOf(world.shop, payment);
  const ledger = (asset: string = own) => ledgerOf(db, payment, asset);
  const events = () => eventTypesOf(db, payment);
  const send = (units: bigint, asset: string = own) => world.send(payment, [{ asset, units }]);
  const link = () => write(world.shop, (tx) => linkPayment(tx, world.shop.deps, payment.id, own));

  /** Time passes for the payment, and what became due happens. */
  async function pass(seconds: number): Promise<void> {
    world.shop.clock.advance(seconds);
    await world.idle();
    await world.look();
    await expireDue(db, world.shop.deps);
  }

  if (!isFinalAtOnce) {
    test('a full transfer is pending while it is seen, and books nothing', async () => {
      await link();
      await send(whole);
      await world.look();
      expect(await status()).toBe('pending');
      expect(await ledger()).toEqual({});
      await world.settle();
      expect(await events()).toEqual(['linked', 'pending', 'completed']);
    });
  }

  test('a full transfer completes the payment when it is final', async () => {
    await link();
    await send(whole);
    await world.settle();
    expect(await status()).toBe('completed');
    expect(await ledger()).toEqual({ external: -whole, business: net, fees: fee });
    expect((await events()).filter((event) => event !== 'pending')).toEqual(['linked', 'completed']);
    const [transfer] = await transfersOf(db, payment.id);
    expect(transfer).toMatchObject({ rail: world.rail, asset: own, units: whole, needed: traits.needed });
    expect(transfer!.sender).not.toBeNull();
  });

  test('two halves pay together, to the last unit', async () => {
    await send(half);
    await world.look();
    await send(half - 1n);
    await world.settle();
    expect(await status()).toBe('pending');
    await send(1n);
    await world.settle();
    expect(await status()).toBe('completed');
    expect(await ledger()).toEqual({ external: -whole, business: net, fees: fee });
    expect(await auditFindings(db)).toEqual([]);
  });

  if (sibling !== null) {
    test('two halves on networks with other decimals pay together', async () => {
      const other = assets.get(sibling);
      const otherHalf = rescale(half, scale, other.scale);
      await send(half);
      await world.look();
      await send(otherHalf - 1n, other.code);
      await world.settle();
      expect(await status()).toBe('pending');
      await send(1n, other.code);
      await world.settle();
      expect(await status()).toBe('completed');
      expect(await ledger(other.code)).toMatchObject({ external: -otherHalf });
      expect(await auditFindings(db)).toEqual([]);
    });
  }

  test('several transfers that come together are each counted once', async () => {
    await world.send(
      payment,
      [1n, 2n, 3n, 4n].map((part) => ({ asset: own, units: (part * whole) / 10n })),
    );
    await world.settle();
    await world.look();
    expect(await status()).toBe('completed');
    expect(await transfersOf(db, payment.id)).toHaveLength(4);
    expect(await ledger()).toMatchObject({ external: -whole });
  });

  test('too much is an overpayment, and so is what comes after completion', async () => {
    await send(whole + half);
    await world.settle();
    expect(await ledger()).toMatchObject({ payable: half, business: net });
    await send(half);
    await world.settle();
    expect(await status()).toBe('completed');
    expect(await ledger()).toEqual({
      external: -(whole + half + half),
      ...{ business: net, fees: fee, payable: half + half },
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

  if (!isFinalAtOnce) {
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
  }

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
    expect(await status()).toBe(isFinalAtOnce ? 'in-appeal paid_after_end' : 'cancelled customer');
    await world.settle();
    expect(await status()).toBe('in-appeal paid_after_end');
    expect(await ledger()).toEqual({ external: -whole, suspense: whole });
  });

  if (foreign !== null) {
    test('a token of another currency pays nothing, and waits in suspense', async () => {
      const units = 10n * 10n ** BigInt(assets.get(foreign).scale);
      await send(units, foreign);
      await world.settle();
      expect(await status()).toBe('unlinked');
      expect(await ledger(foreign)).toEqual({ external: -units, suspense: units });
      await send(whole);
      await world.settle();
      expect(await status()).toBe('completed');
      expect(await ledger(foreign)).toMatchObject({ suspense: units });
    });
  }

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
    expect(await ledger()).toEqual({ external: -whole, business: net, fees: fee });
    expect(await events()).toEqual(['pending', 'completed']);
    expect(await auditFindings(db)).toEqual([]);
  });
});
