import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import {
  auditFindings,
  eventsOf,
  ledgerOf,
  openShop,
  paymentById,
  report,
  type Shop,
  write,
} from '../../test/payment-fixtures.ts';
import {
  isOpen,
  type Model,
  modelCancel,
  modelChoice,
  modelTime,
  modelTransfer,
  newModel,
} from '../../test/payment-model.ts';
import type { Database } from '../kit/db.ts';
import { cancelPayment, linkPayment } from './act.ts';
import { expireDue } from './expire.ts';
import type { Payment } from './payment.ts';

// A random life of one payment: transfers are seen, become final or fall out, the customer chooses and
// cancels, time passes. After every step the payment is held against a model written from the contract.

const runs = process.env.SOAK ? 1_000 : 15;
const timeoutMs = process.env.SOAK ? 1_200_000 : 30_000;

/** USDC on two networks, with 6 and 18 decimals, pays together; PI never pays a payment in USDC. */
const unitOf = { 'usdc-erc20': 1n, 'usdc-bep20': 10n ** 12n, pi: 1n } as const;
type AssetCode = keyof typeof unitOf;
const assetCodes = Object.keys(unitOf) as AssetCode[];

type Transfer = { thousandths: number; asset: AssetCode };
type Step =
  | { do: 'tell'; index: number; state: 'seen' | 'final' | 'gone' }
  | { do: 'wait'; seconds: number }
  | { do: 'cancel'; by: 'customer' | 'merchant' }
  | { do: 'choose' | 'expire' };

const tellStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('tell'),
  index: fc.nat(3),
  state: fc.constantFrom('seen', 'final', 'gone'),
});
const waitStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('wait'),
  seconds: fc.oneof(fc.nat(700), fc.constantFrom(600, 1800, 3600, 86_400)),
});
const cancelStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('cancel'),
  by: fc.constantFrom('customer', 'merchant'),
});
const otherStep: fc.Arbitrary<Step> = fc.record({ do: fc.constantFrom('choose', 'expire') });

const lives = fc.record({
  feePayer: fc.constantFrom('merchant' as const, 'customer' as const),
  /** What may be sent, in thousandths of the amount due. */
  transfers: fc.array(
    fc.record<Transfer>({
      thousandths: fc.constantFrom(1, 250, 500, 1000, 1500),
      asset: fc.constantFrom('usdc-erc20', 'usdc-erc20', 'usdc-bep20', 'pi'),
    }),
    { minLength: 4, maxLength: 4 },
  ),
  steps: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: tellStep },
      { weight: 3, arbitrary: waitStep },
      { weight: 2, arbitrary: otherStep },
      { weight: 1, arbitrary: cancelStep },
    ),
    { minLength: 3, maxLength: 25 },
  ),
});

type Subject = {
  shop: Shop;
  payment: Payment;
  model: Model;
  transfers: Transfer[];
  /** By the index of a transfer, the last that was said of it. */
  told: Map<number, 'seen' | 'final' | 'gone'>;
};

async function play(subject: Subject, step: Step): Promise<void> {
  const { shop, payment, model } = subject;
  // No two things happen in the same millisecond, so that nothing meets a deadline by chance.
  shop.clock.advance(0.007);
  const now = shop.clock.now().getTime();
  switch (step.do) {
    case 'wait':
      shop.clock.advance(step.seconds);
      break;
    case 'tell':
      await tell(subject, step.index, step.state, now);
      break;
    case 'expire':
      await expire(subject, now);
      break;
    case 'choose': {
      await expire(subject, now);
      const choice = write(shop, (tx) => linkPayment(tx, shop.deps, payment.id, 'usdc-erc20'));
      if (isOpen(model)) await choice;
      else await expect(choice).rejects.toThrow('Not possible while the payment is');
      modelChoice(model, now);
      break;
    }
    case 'cancel': {
      await expire(subject, now);
      const cancelled = write(shop, (tx) => cancelPayment(tx, shop.deps, payment.id, step.by));
      if (isOpen(model)) await cancelled;
      else await expect(cancelled).rejects.toThrow('Payment can no longer be cancelled');
      modelCancel(model, step.by);
    }
  }
}

async function expire({ shop, model }: Subject, now: number): Promise<void> {
  await expireDue(shop.db, shop.deps);
  modelTime(model, now);
}

async function tell(
  { shop, payment, model, transfers, told }: Subject,
  index: number,
  state: 'seen' | 'final' | 'gone',
  now: number,
): Promise<void> {
  const before = told.get(index);
  // Nothing falls out that was not seen, and what is final stays final: it may only be told again.
  if ((state === 'gone' && !before) || (state !== 'final' && before === 'final')) return;
  told.set(index, state);
  const { thousandths, asset } = transfers[index]!;
  const key = `${payment.id} ${index}`;
  const units = (model.due * thousandths) / 1000;
  await report(shop, payment, { key, units: BigInt(units) * unitOf[asset], state, asset });
  if (asset === 'pi') modelTime(model, now);
  else modelTransfer(model, key, units, state, now);
}

async function check({ shop, payment, model, transfers, told }: Subject): Promise<void> {
  const { status, reason, fee, amountDue, eventSequence } = await paymentById(shop.db, payment.id);
  expect({ status, reason }).toEqual({ status: model.status, reason: model.reason });
  const events = await eventsOf(shop.db, payment);
  expect(events.map(({ type }) => type)).toEqual(model.events.map((name) => `payment_${name}`));
  expect(events.map(({ sequence }) => sequence)).toEqual(model.events.map((_, index) => index + 1));
  expect(eventSequence).toBe(events.length);
  expect(model.events.filter((name) => name === 'completed').length).toBeLessThanOrEqual(1);

  let business = 0n;
  let fees = 0n;
  for (const asset of assetCodes) {
    const booked = await ledgerOf(shop.db, payment, asset);
    const came = transfers.flatMap((each, index) =>
      each.asset === asset && told.get(index) === 'final' ? [(model.due * each.thousandths) / 1000] : [],
    );
    const arrived = BigInt(came.reduce((sum, units) => sum + units, 0)) * unitOf[asset];
    const kept = (booked.business ?? 0n) + (booked.fees ?? 0n) + (booked.payable ?? 0n);
    expect(-(booked.external ?? 0n)).toBe(arrived);
    expect(kept + (booked.suspense ?? 0n)).toBe(arrived);
    // Until it is completed all is in suspense, and from then on nothing but what is of another currency.
    expect(kept).toBe(status === 'completed' && asset !== 'pi' ? arrived : 0n);
    business += (booked.business ?? 0n) / unitOf[asset];
    fees += (booked.fees ?? 0n) / unitOf[asset];
  }
  expect([business, fees]).toEqual(status === 'completed' ? [amountDue - fee, fee] : [0n, 0n]);
  expect(await auditFindings(shop.db)).toEqual([]);
}

let db: Database;
beforeAll(async () => {
  ({ db } = await testDatabase());
});

test(
  'whatever happens to a payment, its status, events and money are those of the contract',
  async () => {
    await fc.assert(
      fc.asyncProperty(lives, async ({ feePayer, transfers, steps }) => {
        const shop = await openShop(db, { feePayer });
        const payment = await shop.create();
        const fee = feePayer === 'customer' ? 0n : payment.fee;
        expect(payment.amountDue - payment.fee).toBe(payment.amount - fee);
        const model = newModel(Number(payment.amountDue), shop.clock.now().getTime());
        const subject: Subject = { shop, payment, model, transfers, told: new Map() };
        for (const step of steps) {
          await play(subject, step);
          // What time has brought about shows at the next step.
          if (step.do !== 'wait') await check(subject);
        }
      }),
      { numRuns: runs },
    );
  },
  timeoutMs,
);
