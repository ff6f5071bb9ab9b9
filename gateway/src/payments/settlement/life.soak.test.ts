import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import {
  assetCodes,
  lives,
  type Step,
  type Transfer,
  unitOf,
} from '../../../test/schedules/payment-lives.ts';
import {
  isOpen,
  type Model,
  modelAccept,
  modelCancel,
  modelChoice,
  modelDispute,
  modelEnough,
  modelReject,
  modelReturn,
  modelTime,
  modelTransfer,
  modelVoid,
  newModel,
} from '../../../test/schedules/payment-model.ts';
import {
  beginLife,
  currencyOf,
  expectShownRate,
  fineOf,
  fixBy,
  nextChoice,
  type PricedLife,
  unitsSent,
} from '../../../test/schedules/priced-life.ts';
import { testDatabase } from '../../../test/support/database.ts';
import {
  auditFindings,
  eventsOf,
  ledgerOf,
  openShop,
  paymentById,
  report,
  type Shop,
  spend,
  write,
} from '../../../test/support/payment-fixtures.ts';
import type { Database } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { balancesOf } from '../../ledger/ledger.ts';
import { acceptAppeal, type Decision, rejectAppeal, returnAppeal } from '../appeals/resolve.ts';
import type { Payment } from '../payment/payment.ts';
import { cancelPayment, disputePayment, linkPayment } from './act.ts';
import { acceptShort } from './enough.ts';
import { expireDue } from './expire.ts';

// A random life of one payment: transfers are seen, become final or fall out, the customer chooses and
// cancels, time passes, disputes and decisions are made, the business spends its balance. After every step the payment is held against a model written from the contract.

const runs = process.env.SOAK ? 1_000 : 10;
const timeoutMs = process.env.SOAK ? 1_200_000 : 900_000;

type Subject = {
  shop: Shop;
  payment: Payment;
  model: Model;
  life: PricedLife;
  transfers: Transfer[];
  /** By the index of a transfer, the last that was said of it. */
  reported: Map<number, 'seen' | 'final' | 'gone'>;
  /** The indexes of those that were refunded. */
  returned: Set<number>;
};

const decisions = { accept: acceptAppeal, return: returnAppeal, reject: rejectAppeal };
const decider = { accountId: newId(), as: 'operator', note: null } as const;

async function play(subject: Subject, step: Step): Promise<void> {
  const { shop, payment, model, life } = subject;
  // No two things happen in the same millisecond, so that nothing meets a deadline by chance.
  shop.clock.advance(0.007);
  const now = shop.clock.now().getTime();
  switch (step.do) {
    case 'wait':
      shop.clock.advance(step.seconds);
      break;
    case 'report':
      await reportState(subject, step.index, step.state, now);
      break;
    case 'expire':
      await expire(subject, now);
      break;
    case 'choose': {
      await expire(subject, now);
      const asset = nextChoice(life, isOpen(model));
      const choice = write(shop, (tx) => linkPayment(tx, shop.deps, payment.id, asset));
      if (isOpen(model)) await choice;
      else await expect(choice).rejects.toThrow('Not possible while the payment is');
      modelChoice(model, now, life.isQuoted ? model.deadline - now : undefined);
      break;
    }
    case 'enough': {
      await expire(subject, now);
      const left = write(shop, (tx) => acceptShort(tx, shop.deps, payment.id));
      if (modelEnough(model, now)) await left;
      else await expect(left).rejects.toThrow('Not possible while the payment is');
      break;
    }
    case 'cancel': {
      await expire(subject, now);
      const cancelled = write(shop, (tx) => cancelPayment(tx, shop.deps, payment.id, step.by));
      if (isOpen(model)) await cancelled;
      else await expect(cancelled).rejects.toThrow('Payment can no longer be cancelled');
      modelCancel(model, step.by);
      break;
    }
    case 'dispute': {
      await expire(subject, now);
      const disputed = write(shop, (tx) => disputePayment(tx, shop.deps, payment.id, 'Broken'));
      if (modelDispute(model, now)) await disputed;
      else await expect(disputed).rejects.toThrow('Not possible while the payment is');
      break;
    }
    case 'spend':
      await spendAll(shop);
      break;
    case 'decide':
      await expire(subject, now);
      await decideAppeal(subject, step.how, now);
  }
}

async function decideAppeal(subject: Subject, how: Decision, now: number): Promise<void> {
  const { shop, payment, model, life, transfers, reported, returned } = subject;
  const appealId = await openAppealOf(shop, payment);
  expect(appealId !== undefined).toBe(model.status === 'in-appeal');
  if (appealId === undefined) return;
  const decided = write(shop, (tx) => decisions[how](tx, shop.deps, { scope: 'all', id: appealId }, decider));
  const finals = [...reported].filter(([index, state]) => state === 'final' && !returned.has(index));
  const hasOther = finals.some(([index]) => currencyOf(transfers[index]!.asset) !== life.own);
  const possible = {
    accept: () => modelAccept(model, now),
    return: () => modelReturn(model, hasOther),
    reject: () => modelReject(model),
  }[how]();
  if (!possible) {
    await expect(decided).rejects.toThrow(
      /^(Not possible for an appeal|Some of the money|No money has come)/,
    );
    return;
  }
  await decided;
  if (how === 'return') for (const [index] of finals) returned.add(index);
}

async function openAppealOf(shop: Shop, { id }: Payment): Promise<string | undefined> {
  const { rows } = await shop.db.query<{ id: string }>(
    'SELECT id FROM appeals WHERE payment_id = $1 AND closed_at IS NULL',
    [id],
  );
  return rows[0]?.id;
}

/** The business gives its whole balance away, so that what it owes later must be a receivable. */
async function spendAll(shop: Shop): Promise<void> {
  const { integrationId: owner, mode } = shop.owner;
  for (const { asset, available } of await balancesOf(shop.db, { kind: 'business', owner, mode })) {
    if (available > 0n) await spend(shop, available, asset);
  }
}

async function expire({ shop, model }: Subject, now: number): Promise<void> {
  await expireDue(shop.db, shop.deps);
  modelTime(model, now);
}

async function reportState(
  { shop, payment, model, life, transfers, reported, returned }: Subject,
  index: number,
  state: 'seen' | 'final' | 'gone',
  now: number,
): Promise<void> {
  const before = reported.get(index);
  // Nothing falls out that was not seen, and what is final is reported again or falls out.
  if ((state === 'gone' && !before) || (state === 'seen' && before === 'final')) return;
  reported.set(index, state);
  const { asset } = transfers[index]!;
  const key = `${payment.id} ${index}`;
  const units = unitsSent(life, transfers[index]!);
  await report(shop, payment, { key, units: BigInt(units) * unitOf[asset], state, asset });
  // The first money fixes the currency, and with it what is due.
  fixBy(life, model, asset, now);
  if (currencyOf(asset) !== life.own) modelTime(model, now);
  else modelTransfer(model, key, units, state, now);
  if (before === 'final' && state === 'gone' && returned.delete(index)) {
    modelVoid(model, key);
  }
}

async function check(subject: Subject): Promise<void> {
  const { shop, payment, model, life, transfers, reported, returned } = subject;
  const { status, reason, eventSequence, shortUnits, ...row } = await paymentById(shop.db, payment.id);
  const short = model.shortPaid === null ? null : BigInt(model.shortPaid) * fineOf[life.own];
  expect(shortUnits).toBe(short);
  if (shortUnits !== null) expect(model.due - Number(model.shortPaid)).toBeLessThanOrEqual(model.tolerance);
  expect({ status, reason }).toEqual({ status: model.status, reason: model.reason });
  await expectShownRate(shop, life, row);
  const events = await eventsOf(shop.db, payment);
  const ofStatus = events.filter(({ type }) => !type.startsWith('refund_'));
  expect(ofStatus.map(({ type }) => type)).toEqual(model.events.map((name) => `payment_${name}`));
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  expect(eventSequence).toBe(events.length);
  expect(model.events.filter((name) => name === 'completed').length).toBeLessThanOrEqual(1);

  let business = 0n;
  let fees = 0n;
  for (const asset of assetCodes) {
    const booked = await ledgerOf(shop.db, payment, asset);
    const sum = (isWanted: (index: number) => boolean): bigint => {
      const units = transfers.map((each, index) =>
        each.asset === asset && isWanted(index) ? unitsSent(life, each) : 0,
      );
      return BigInt(units.reduce((total, each) => total + each, 0)) * unitOf[asset];
    };
    const arrived = sum((index) => reported.get(index) === 'final' && !returned.has(index));
    // What is owed back is still here.
    const owed = sum((index) => reported.get(index) === 'final' && returned.has(index));
    const share = (booked.business ?? 0n) + (booked.receivable ?? 0n);
    const kept = share + (booked.fees ?? 0n) + (booked.payable ?? 0n);
    expect(-(booked.external ?? 0n)).toBe(arrived + owed);
    expect(kept + (booked.suspense ?? 0n)).toBe(arrived + owed);
    // Until it is settled all is in suspense, and from then on nothing but what is of another currency.
    expect(kept - owed).toBe(model.settled && currencyOf(asset) === life.own ? arrived : 0n);
    business += share / unitOf[asset];
    fees += (booked.fees ?? 0n) / unitOf[asset];
    await checkDebt(shop, asset);
  }
  expect({ business, fees }).toEqual({
    business: BigInt(model.settled?.business ?? 0),
    fees: BigInt(model.settled?.fee ?? 0),
  });
}

/** While a business owes anything its balance is empty. */
async function checkDebt(shop: Shop, asset: string): Promise<void> {
  const owner = { owner: shop.owner.integrationId, mode: shop.owner.mode };
  const of = async (kind: 'business' | 'receivable') =>
    (await balancesOf(shop.db, { kind, ...owner })).find((balance) => balance.asset === asset)?.available ??
    0n;
  const [business, receivable] = [await of('business'), await of('receivable')];
  expect(business >= 0n && receivable <= 0n && (business === 0n || receivable === 0n)).toBe(true);
}

let db: Database;
beforeAll(async () => {
  ({ db } = await testDatabase());
});

test(
  'whatever happens to a payment, its status, events and money are those of the contract',
  async () => {
    await fc.assert(
      fc.asyncProperty(lives, async ({ asks, mode, feePayer, isTolerant, transfers, steps }) => {
        const shortTolerance = { percent: isTolerant ? 5 : 0, most: '5.00' };
        const terms = { feePayer, approved: true, liveDeadlineSeconds: 600, shortTolerance };
        const shop = await openShop(db, terms, { mode });
        const { payment, life } = await beginLife(shop, asks);
        const fee = feePayer === 'customer' ? 0n : payment.fee!;
        expect(payment.amountDue! - payment.fee!).toBe(payment.amount! - fee);
        const now = shop.clock.now().getTime();
        const sums = [payment.amountDue, payment.fee, payment.tolerance].map(Number);
        const [due = 0, ownFee = 0, tolerance = 0] = sums;
        const model = newModel(due, ownFee, now, tolerance);
        const subject: Subject = {
          shop,
          payment,
          model,
          life,
          transfers,
          reported: new Map(),
          returned: new Set(),
        };
        if (asks === 'open') modelChoice(model, shop.clock.now().getTime());
        for (const step of steps) {
          await play(subject, step);
          // What time has brought about shows at the next step.
          if (step.do !== 'wait') await check(subject);
        }
        expect(await auditFindings(db)).toEqual([]);
      }),
      { numRuns: runs },
    );
  },
  timeoutMs,
);
