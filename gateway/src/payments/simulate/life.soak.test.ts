import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isOpen,
  type Model,
  modelCancel,
  modelChoice,
  modelTime,
  newModel,
} from '../../../test/schedules/payment-model.ts';
import { whichRuns } from '../../../test/schedules/runs.ts';
import {
  type Happening,
  happeningsOf,
  namesOf,
  type Play,
  plays,
  refusalOf,
} from '../../../test/schedules/scenario-oracle.ts';
import { testDatabase } from '../../../test/support/database.ts';
import {
  advanceTestClock,
  auditFindings,
  openShop,
  paymentById,
  type Shop,
  statusEventsOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import type { Database } from '../../kit/db/db.ts';
import { decimalOf } from '../../money/money.ts';
import type { Payment } from '../payment/payment.ts';
import { cancelPayment, linkPayment } from '../settlement/act.ts';
import { readWish } from './schema.ts';
import { simulate } from './simulate.ts';

// Outcomes of the simulator in any combination, for amounts and for prices of 10 USDC, one after another, with the test clock going on in between: the
// payment ends as the model of the contract says, whether time passes in steps or in leaps.

/** Stories are played side by side, in databases of their own: what is due is asked of all that are in one. */
const parts = [1, 2, 3, 4];
const runs = process.env.SOAK ? 250 : 4;
const timeoutMs = process.env.SOAK ? 1_200_000 : 900_000;

type Act = { play: Play } | { waitSeconds: number } | { do: 'choose' | 'cancel' };

const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ play: plays }) },
    {
      weight: 4,
      arbitrary: fc.record({
        waitSeconds: fc.constantFrom(15, 25, 31, 61, 400, 800, 2_500, 40_000, 100_000),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('choose' as const, 'cancel' as const) }) },
  ),
  { minLength: 2, maxLength: 8 },
);

type Asks = 'amount' | 'quoted' | 'open';
type Subject = { shop: Shop; payment: Payment; asks: Asks; model: Model; ahead: Happening[]; now: number };

const price = { amount: undefined, price: { amount: 8, currency: 'EUR' } };
const due = 10_000_000;

async function openSubject(db: Database, asks: Asks, percent: number): Promise<Subject> {
  const shop = await openShop(db, { shortTolerance: { percent, most: '5.00' } });
  const currency = asks === 'open' ? undefined : 'USDC';
  const payment = await shop.create(asks === 'amount' ? {} : { ...price, currency });
  const now = shop.clock.now().getTime();
  const model = newModel(due, due / 100, now, (due * percent) / 100);
  model.noLate = asks === 'open';
  return { shop, payment, asks, model, ahead: [], now };
}

/** The customer chooses, or what is simulated does: of a price that was quoted when it was made this starts nothing anew. */
function pick(model: Model, { asks, now }: Pick<Subject, 'asks' | 'now'>): void {
  if (isOpen(model)) model.noLate = false;
  modelChoice(model, now, asks === 'quoted' ? model.deadline - now : undefined);
}

/** The test clock goes on, for the payment and for its model. */
async function pass(subject: Subject, seconds: number): Promise<void> {
  await advanceTestClock(subject.shop, seconds);
  subject.now += seconds * 1000;
  const { model, now } = subject;
  const due = subject.ahead.filter(({ at }) => at <= now);
  subject.ahead = subject.ahead.filter(({ at }) => at > now);
  for (const happening of due.sort((one, other) => one.at - other.at)) {
    modelTime(model, happening.at);
    happening.do(model);
  }
  modelTime(model, now);
}

async function playAct(subject: Subject, act: Act, name: string): Promise<void> {
  const { shop, payment, model } = subject;
  if ('waitSeconds' in act) return;
  if ('play' in act) return await playOutcomes(subject, act.play, name);
  const work = write(shop, (tx) =>
    act.do === 'choose'
      ? linkPayment(tx, shop.deps, payment.id, 'usdc-erc20')
      : cancelPayment(tx, shop.deps, payment.id, 'merchant'),
  );
  const before = model.events.length;
  if (act.do === 'choose') pick(model, subject);
  else modelCancel(model, 'merchant');
  if (model.events.length > before || model.status === 'linked') await work;
  else await expect(work).rejects.toThrow(/Not possible while|can no longer be cancelled/);
}

async function playOutcomes(subject: Subject, play: Play, name: string): Promise<void> {
  const { shop, payment, asks, now } = subject;
  const { thousandths } = play;
  const amount = thousandths === null ? null : decimalOf(BigInt((due * thousandths) / 1000), 6);
  const wish = readWish({ outcome: namesOf(play), amount, delay_seconds: play.delaySeconds });
  const played = write(shop, (tx) => simulate(tx, shop.deps, payment.id, wish));

  const after = structuredClone(subject.model);
  const isUnchosen = asks === 'open' && !after.chosen;
  const refusal = refusalOf(play, after) ?? (isUnchosen && !isOpen(after) ? 'status' : null);
  if (isUnchosen) pick(after, subject);
  const happenings = happeningsOf(play, after, now, name);
  const isPossible = happenings.filter(({ at }) => at === now).every((happening) => happening.do(after));
  if (refusal === null && isPossible) {
    await played;
    subject.model = after;
    subject.ahead.push(...happenings.filter(({ at }) => at > now));
  } else {
    await expect(played).rejects.toThrow(
      refusal === 'amount' ? 'amount is invalid: must be' : `Not possible while the payment is`,
    );
  }
}

async function check({ shop, payment, model }: Subject): Promise<void> {
  const { status, reason } = await paymentById(shop.db, payment.id);
  expect({ status, reason }).toEqual({ status: model.status, reason: model.reason });
  expect(await statusEventsOf(shop.db, payment)).toEqual(model.events);
}

test.concurrent.for(parts)(
  'any outcomes played together and one after another end as the contract says, in steps as in leaps (%i)',
  { timeout: timeoutMs },
  async (part) => {
    const { db } = await testDatabase();
    const tolerated = fc.constantFrom(0, 5);
    const pieces = fc.integer({ min: 2, max: 5 });
    const asked = fc.constantFrom<Asks[]>('amount', 'quoted', 'open');
    await fc.assert(
      fc.asyncProperty(acts, pieces, tolerated, asked, async (story, most, percent, asks) => {
        for (const waits of [1, most]) await live(await openSubject(db, asks, percent), story, waits);
      }),
      { numRuns: runs, ...whichRuns(process.env, 2026 + part) },
    );
    // Once: it adds up all that the stories before have left.
    expect(await auditFindings(db)).toEqual([]);
  },
);

/** Plays a story; the clock goes on by each wait in so many pieces. */
async function live(subject: Subject, story: readonly Act[], waits: number): Promise<void> {
  for (const [index, act] of story.entries()) {
    // No two things happen in the same millisecond, so that nothing meets a deadline by chance.
    await pass(subject, 0.007);
    await playAct(subject, act, `${index}`);
    await check(subject);
    const seconds = 'waitSeconds' in act ? act.waitSeconds : 0;
    for (let piece = 0; seconds > 0 && piece < waits; piece++) {
      await pass(subject, seconds / waits);
      await check(subject);
    }
  }
}
