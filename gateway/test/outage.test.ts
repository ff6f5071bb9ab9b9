import { beforeEach, describe, expect, test } from 'vitest';
import { createAssets } from '../src/money/assets.ts';
import type { Payment } from '../src/payments/payment/payment.ts';
import { linkPayment } from '../src/payments/settlement/act.ts';
import { expireDue } from '../src/payments/settlement/expire.ts';
import { piTraits, startPiWorld } from './pi/rail-world.ts';
import {
  confirmedTraits,
  type OpenWorld,
  type RailTraits,
  type RailWorld,
  startEvmWorld,
} from './schedules/rail-worlds.ts';
import { testDatabase } from './support/database.ts';
import { auditFindings, eventTypesOf, paymentById, statusOf, write } from './support/payment-fixtures.ts';

// A rail that is not read while a deadline passes: what counts is when its chain took the money (docs/states.md).

const { db } = await testDatabase();
const openEvm = await startEvmWorld();
const rails: { name: string; traits: RailTraits; open: OpenWorld }[] = [
  { name: 'evm', traits: confirmedTraits, open: openEvm },
  { name: 'pi', traits: piTraits, open: await startPiWorld() },
];

const deadlineSeconds = 600;

describe.each(rails)('the rail $name, not read while a deadline passes', ({ traits, open }) => {
  const { own } = traits;
  const whole = 10n * 10n ** BigInt(createAssets().get(own).scale);
  let world: RailWorld;
  let payment: Payment;
  beforeEach(async () => {
    world = await open(db);
    payment = await world.shop.create({ currency: traits.currency });
    await write(world.shop, (tx) => linkPayment(tx, world.shop.deps, payment.id, own));
  });

  const send = (units: bigint) => world.send(payment, [{ asset: own, units }]);
  const events = async () => (await eventTypesOf(db, payment)).filter((event) => event !== 'pending');
  /** Payments are brought up to date again and again, and nobody reads the rail. */
  async function down(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 60) {
      world.shop.clock.advance(Math.min(60, seconds - passed));
      await world.idle();
      await expireDue(db, world.shop.deps);
    }
  }
  /** The gateway is back: all that was sent becomes final, and whatever is due is done. */
  async function back(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      await expireDue(db, world.shop.deps);
      await world.settle();
      world.shop.clock.advance(60);
      await world.idle();
    }
    await world.look();
    await expireDue(db, world.shop.deps);
  }

  test('a half that came before and a half that came in time complete the payment', async () => {
    await send(whole / 2n);
    await world.look();
    expect(await statusOf(world.shop, payment)).toBe('pending');
    await down(deadlineSeconds - 60);
    await send(whole / 2n);
    await down(2 * deadlineSeconds);
    expect(await statusOf(world.shop, payment)).toBe('pending');
    await back();
    expect(await statusOf(world.shop, payment)).toBe('completed');
    expect(await events()).toEqual(['linked', 'completed']);
    expect(await auditFindings(db)).toEqual([]);
  });

  test('the whole that came in time completes the payment, which was never abandoned', async () => {
    await down(deadlineSeconds - 60);
    await send(whole);
    await down(2 * deadlineSeconds);
    expect(await statusOf(world.shop, payment)).toBe('linked');
    await back();
    expect(await statusOf(world.shop, payment)).toBe('completed');
    expect(await events()).toEqual(['linked', 'completed']);
  });

  test('the whole that came too late is late', async () => {
    await down(deadlineSeconds + 60);
    await send(whole);
    await down(deadlineSeconds);
    expect(await statusOf(world.shop, payment)).toBe('linked');
    await back();
    expect(await statusOf(world.shop, payment)).toBe('completed');
    expect(await events()).toEqual(['linked', 'abandoned', 'completed']);
    expect(await paymentById(db, payment.id)).toMatchObject({ unusual: ['late'], unreadSince: null });
  });

  test('with nothing sent the payment is abandoned as soon as the rail was read', async () => {
    await down(3 * deadlineSeconds);
    expect(await statusOf(world.shop, payment)).toBe('linked');
    await back();
    expect(await statusOf(world.shop, payment)).toBe('cancelled abandoned');
    expect(await events()).toEqual(['linked', 'abandoned']);
  });
});

const six = confirmedTraits.own;

test('on a chain that makes no blocks while it is idle a payment ends about two minutes after its deadline', async () => {
  const { shop, look } = await openEvm(db);
  const payment = await shop.create();
  await write(shop, (tx) => linkPayment(tx, shop.deps, payment.id, six));
  const lives = async (seconds: number) => {
    shop.clock.advance(seconds);
    await look();
    await expireDue(db, shop.deps);
    return await statusOf(shop, payment);
  };
  expect(await lives(deadlineSeconds)).toBe('linked');
  expect(await lives(119)).toBe('linked');
  expect(await lives(1)).toBe('linked');
  expect(await lives(30)).toBe('cancelled abandoned');
});

test('wherever a process ends that reads what came in time, the payment is never abandoned', async () => {
  const world = await openEvm(db);
  const { shop } = world;
  let step = 1;
  for (let hasDied = true; hasDied; step += 1) {
    const payment = await shop.create();
    await write(shop, (tx) => linkPayment(tx, shop.deps, payment.id, six));
    await world.send(payment, [{ asset: six, units: 10_000_000n }]);
    shop.clock.advance(2 * deadlineSeconds);
    await world.idle();
    hasDied = await world.lookAndDie!(step);
    await expireDue(db, shop.deps);
    await world.restart();
    await world.settle();
    shop.clock.advance(60);
    await world.look();
    await expireDue(db, shop.deps);
    expect([step, await statusOf(shop, payment)]).toEqual([step, 'completed']);
    const told = (await eventTypesOf(db, payment)).filter((event) => event !== 'pending');
    expect([step, told]).toEqual([step, ['linked', 'completed']]);
  }
  expect(step).toBeGreaterThan(8);
});

test('a transfer that has left its chain does not count at a deadline that passed before that was told', async () => {
  const world = await openEvm(db);
  const { shop } = world;
  const payment = await shop.create();
  await write(shop, (tx) => linkPayment(tx, shop.deps, payment.id, six));
  await world.send(payment, [{ asset: six, units: 5_000_000n }]);
  await world.look();
  shop.clock.advance(deadlineSeconds + 60);
  await world.reorg!(1);
  await expireDue(db, shop.deps);
  // It may come back within half an hour.
  expect(await statusOf(shop, payment)).toBe('pending');
  for (let round = 0; round < 2; round++) {
    shop.clock.advance(1_800);
    await world.idle();
    await world.look();
    await expireDue(db, shop.deps);
  }
  expect(await statusOf(shop, payment)).toBe('failed reorg');
});
