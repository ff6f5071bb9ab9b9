import { beforeEach, describe, expect, test } from 'vitest';
import { after } from '../src/kit/clock.ts';
import { createAssets } from '../src/money/assets.ts';
import type { Payment } from '../src/payments/payment/payment.ts';
import { linkPayment } from '../src/payments/settlement/act.ts';
import { expireDue } from '../src/payments/settlement/expire.ts';
import { transfersOf } from '../src/payments/settlement/received.ts';
import { piTraits, startPiWorld } from './pi/rail-world.ts';
import { confirmedTraits, type OpenWorld, type RailWorld, startEvmWorld } from './schedules/rail-worlds.ts';
import { testDatabase } from './support/database.ts';
import { eventTypesOf, paymentById, statusOf, write } from './support/payment-fixtures.ts';

// The clocks of chains are not the gateway's: a transfer came when its chain took it or when it was seen first, whichever
// is earlier, and a chain was read past a time when both clocks are past it (contract.md#states).

const { db } = await testDatabase();
const assets = createAssets();
const hour = 3_700;
const day = 86_400;

let world: RailWorld;
let payment: Payment;
let asset: string;

async function begin(open: OpenWorld, { own, currency }: Pick<typeof piTraits, 'own' | 'currency'>) {
  world = await open(db);
  asset = own;
  payment = await world.shop.create({ currency });
  await write(world.shop, (tx) => linkPayment(tx, world.shop.deps, payment.id, own));
}

const status = () => statusOf(world.shop, payment);
const events = async () => (await eventTypesOf(db, payment)).filter((event) => event !== 'pending');
const send = () => world.send(payment, [{ asset, units: 10n * 10n ** BigInt(assets.get(asset).scale) }]);

/** Time passes for the payment, and what became due happens. */
async function pass(seconds: number): Promise<void> {
  world.shop.clock.advance(seconds);
  await world.idle();
  await world.look();
  // Only what was looked at ten seconds ago is compared again, and who waits is asked after a while.
  world.shop.clock.advance(61);
  await world.look();
  await expireDue(db, world.shop.deps);
}

const rails = [
  { rail: 'evm', traits: confirmedTraits, start: (ahead: number) => startEvmWorld({}, undefined, ahead) },
  { rail: 'pi', traits: piTraits, start: startPiWorld },
];

describe.each(rails)('on $rail, an hour ahead', async ({ traits, start }) => {
  const open = await start(hour);
  beforeEach(() => begin(open, traits));

  test('what is paid in full is completed as soon as it is final, and was never abandoned', async () => {
    await send();
    await world.look();
    const seenAt = world.shop.clock.now();
    world.shop.clock.advance(20);
    await world.settle();
    expect(await status()).toBe('completed');
    expect(await events()).toEqual(['linked', 'completed']);
    expect((await transfersOf(db, payment.id)).map(({ seen_at }) => seen_at)).toEqual([seenAt]);
    await pass(700);
    expect(await events()).toEqual(['linked', 'completed']);
  });

  test('the deadline passes by the clock, and what is seen after it is late', async () => {
    await pass(500);
    expect(await status()).toBe('linked');
    await pass(100);
    expect(await status()).toBe('cancelled abandoned');
    await send();
    await world.settle();
    expect(await status()).toBe('completed');
    expect(await events()).toEqual(['linked', 'abandoned', 'completed']);
    const { deadline } = await paymentById(db, payment.id);
    const [transfer] = await transfersOf(db, payment.id);
    expect(transfer!.seen_at > deadline).toBe(true);
  });

  test('what is seen in the late window came in it', async () => {
    await pass(600);
    const { lateUntil } = await paymentById(db, payment.id);
    world.shop.clock.advance(day - 300);
    expect(world.shop.clock.now() < lateUntil!).toBe(true);
    await send();
    await world.settle();
    expect(await status()).toBe('completed');
  });
});

describe.each(rails)('on $rail, an hour behind', async ({ traits, start }) => {
  const open = await start(-hour);
  beforeEach(() => begin(open, traits));

  test('the deadline passes when the chain has come to it, and until then what is paid came in time', async () => {
    await pass(1_000);
    expect(await status()).toBe('linked');
    await send();
    await world.settle();
    expect(await status()).toBe('completed');
    expect(await events()).toEqual(['linked', 'completed']);
  });

  test('a payment without money is abandoned once the chain has come to its deadline', async () => {
    await pass(1_000);
    await pass(hour);
    expect(await status()).toBe('cancelled abandoned');
    const { deadline, lateUntil } = await paymentById(db, payment.id);
    expect(lateUntil).toEqual(after(deadline, day));
  });
});
