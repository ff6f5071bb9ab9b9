import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  expectDebts,
  expectEvents,
  expectMoney,
  expectShort,
  expectShown,
  expectValues,
} from '../../../test/schedules/life-checks.ts';
import {
  type AssetCode,
  assetSent,
  coinOf,
  type Life,
  lives,
  type Step,
  unitOf,
} from '../../../test/schedules/payment-lives.ts';
import {
  isOpen,
  type Model,
  modelAccept,
  modelCancel,
  modelDispute,
  modelEnough,
  modelReject,
  modelReturn,
  modelTime,
  modelVoid,
} from '../../../test/schedules/payment-model.ts';
import {
  beginLife,
  changeRate,
  choosePriced,
  expectAddresses,
  type PricedLife,
  reportPriced,
  unitsSent,
} from '../../../test/schedules/priced-life.ts';
import { whichRuns } from '../../../test/schedules/runs.ts';
import { testDatabase } from '../../../test/support/database.ts';
import {
  auditFindings,
  eventsOf,
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

// A random life of one payment: transfers are seen, become final or fall out, the customer chooses coins and cancels, rates
// change, time passes, disputes and decisions are made, the business spends its balance. After every step the payment is held
// against a model written from the contract.

/** Lives are played side by side, in databases of their own: each has a clock of its own, and what is due is asked of all. */
const parts = [1, 2, 3, 4];
const runs = process.env.SOAK ? 250 : 8;
const timeoutMs = process.env.SOAK ? 1_200_000 : 900_000;

type Sent = { asset: AssetCode; units: number };

type Subject = {
  shop: Shop;
  payment: Payment;
  model: Model;
  life: PricedLife;
  whole: Life;
  /** By the index of a transfer, what it sends. */
  sent: Map<number, Sent>;
  /** By the index of a transfer, the last that was said of it. */
  reported: Map<number, 'seen' | 'final' | 'gone'>;
  /** The indexes of those that were refunded. */
  returned: Set<number>;
};

const decisions = { accept: acceptAppeal, return: returnAppeal, reject: rejectAppeal };
const decider = { accountId: newId(), as: 'operator', note: null } as const;

async function play(subject: Subject, step: Step): Promise<void> {
  const { shop, payment, model, life, whole } = subject;
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
      const asset = whole.assets[step.way] ?? 'pi';
      const choice = write(shop, (tx) => linkPayment(tx, shop.deps, payment.id, asset));
      if (choosePriced(shop, subject, asset, now)) await choice;
      else await expect(choice).rejects.toThrow('Not possible while the payment is');
      break;
    }
    case 'rate':
      await changeRate(shop, life, coinOf(whole.assets[step.way] ?? 'pi'), step.rate);
      break;
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
  const { shop, payment, model, life, sent, reported, returned } = subject;
  const appealId = await openAppealOf(shop, payment);
  expect(appealId !== undefined).toBe(model.status === 'in-appeal');
  if (appealId === undefined) return;
  const decided = write(shop, (tx) => decisions[how](tx, shop.deps, { scope: 'all', id: appealId }, decider));
  const finals = [...reported].filter(([index, state]) => state === 'final' && !returned.has(index));
  const hasOther = finals.some(([index]) => coinOf(sent.get(index)!.asset) !== life.own);
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
  if (how !== 'return') return;
  for (const [index] of finals) {
    returned.add(index);
    model.returned.add(keyOf(payment, index));
  }
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

const keyOf = ({ id }: Payment, index: number): string => `${id} ${index}`;

async function reportState(
  subject: Subject,
  index: number,
  state: 'seen' | 'final' | 'gone',
  now: number,
): Promise<void> {
  const { shop, payment, model, reported, returned } = subject;
  const before = reported.get(index);
  // Nothing falls out that was not seen, and what is final is reported again or falls out.
  if ((state === 'gone' && !before) || (state === 'seen' && before === 'final')) return;
  const what = sentBy(subject, index);
  if (!what) return;
  reported.set(index, state);
  const { asset, units } = what;
  const key = keyOf(payment, index);
  await report(shop, payment, { key, units: BigInt(units) * unitOf[asset], state, asset });
  reportPriced(subject, coinOf(asset), { key, units, state }, now);
  if (before === 'final' && state === 'gone' && returned.delete(index)) modelVoid(model, key);
}

/** What a transfer sends, which is known from its first report on; nobody can send anything before there is an address. */
function sentBy({ life, whole, sent }: Subject, index: number): Sent | undefined {
  const transfer = whole.transfers[index];
  if (sent.has(index) || !transfer || life.own === null) return sent.get(index);
  const asset = assetSent(whole, transfer);
  const units = unitsSent(life, coinOf(asset), transfer.thousandths, transfer.extra);
  if (units > 0) sent.set(index, { asset, units });
  return sent.get(index);
}

async function check(subject: Subject): Promise<void> {
  const { shop, model, life, returned } = subject;
  const payment = await paymentById(shop.db, subject.payment.id);
  const { status, reason, eventSequence } = payment;
  expect({ status, reason }).toEqual({ status: model.status, reason: model.reason });
  expect(payment.deadline.getTime()).toBe(model.deadline);
  expectShort(payment, model.shortPaid, life);
  await expectShown(shop, payment, life);
  expectAddresses(payment, life);
  const events = await eventsOf(shop.db, payment);
  const ofStatus = events.filter(({ type }) => !type.startsWith('refund_'));
  expect(ofStatus.map(({ type }) => type)).toEqual(model.events.map((name) => `payment_${name}`));
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  expect(eventSequence).toBe(events.length);
  expect(model.events.filter((name) => name === 'completed').length).toBeLessThanOrEqual(1);
  expectEvents(events, life, model.shortPaid);
  await expectMoney(shop, payment, { settled: model.settled, own: life.own }, (asset) => ({
    arrived: sumOf(subject, asset, (index) => !returned.has(index)),
    // What is owed back is still here.
    owed: sumOf(subject, asset, (index) => returned.has(index)),
  }));
  await expectDebts(shop);
}

/** What is final of an asset. */
function sumOf({ sent, reported }: Subject, asset: AssetCode, isWanted: (index: number) => boolean): bigint {
  return [...sent].reduce(
    (total, [index, each]) =>
      each.asset === asset && reported.get(index) === 'final' && isWanted(index)
        ? total + BigInt(each.units) * unitOf[asset]
        : total,
    0n,
  );
}

async function live(db: Database, whole: Life): Promise<void> {
  const subject: Subject = {
    ...(await beginLife(db, whole)),
    ...{ whole, sent: new Map(), reported: new Map(), returned: new Set() },
  };
  await check(subject);
  for (const step of whole.steps) {
    await play(subject, step);
    // What time has brought about shows at the next step.
    if (step.do !== 'wait') await check(subject);
  }
  await expectValues(subject.shop, subject.payment, subject.life);
}

test.concurrent.for(parts)(
  'whatever happens to a payment, its status, events and money are those of the contract (%i)',
  { timeout: timeoutMs },
  async (part) => {
    const { db } = await testDatabase();
    await fc.assert(
      fc.asyncProperty(lives, (whole) => live(db, whole)),
      { numRuns: runs, ...whichRuns(process.env, 2026 + part) },
    );
    // Once: it adds up all that the lives before have left.
    expect(await auditFindings(db)).toEqual([]);
  },
);
