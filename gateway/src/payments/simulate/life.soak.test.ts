import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Model,
  modelCancel,
  modelChoice,
  modelTime,
  newModel,
} from '../../../test/schedules/payment-model.ts';
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
import { decimalOf } from '../../money/money.ts';
import type { Payment } from '../payment/payment.ts';
import { cancelPayment, linkPayment } from '../settlement/act.ts';
import { readWish } from './schema.ts';
import { simulate } from './simulate.ts';

// Outcomes of the simulator in any combination, one after another, with the test clock going on in between: the
// payment ends as the model of the contract says, whether time passes in steps or in leaps.

const runs = process.env.SOAK ? 1_000 : 12;
const timeoutMs = process.env.SOAK ? 1_200_000 : 900_000;

const { db } = await testDatabase();

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

type Subject = { shop: Shop; payment: Payment; model: Model; ahead: Happening[]; now: number };

async function openSubject(percent: number): Promise<Subject> {
  const shop = await openShop(db, { shortTolerance: { percent, most: '5.00' } });
  const payment = await shop.create();
  const now = shop.clock.now().getTime();
  const model = newModel(Number(payment.amountDue), Number(payment.fee), now, Number(payment.tolerance));
  return { shop, payment, model, ahead: [], now };
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
  const { shop, payment, model, now } = subject;
  if ('waitSeconds' in act) return;
  if ('play' in act) return await playOutcomes(subject, act.play, name);
  const work = write(shop, (tx) =>
    act.do === 'choose'
      ? linkPayment(tx, shop.deps, payment.id, 'usdc-erc20')
      : cancelPayment(tx, shop.deps, payment.id, 'merchant'),
  );
  const before = model.events.length;
  if (act.do === 'choose') modelChoice(model, now);
  else modelCancel(model, 'merchant');
  if (model.events.length > before || model.status === 'linked') await work;
  else await expect(work).rejects.toThrow(/Not possible while|can no longer be cancelled/);
}

async function playOutcomes(subject: Subject, play: Play, name: string): Promise<void> {
  const { shop, payment, now } = subject;
  const { thousandths } = play;
  const amount =
    thousandths === null ? null : decimalOf((payment.amountDue! * BigInt(thousandths)) / 1000n, 6);
  const wish = readWish({ outcome: namesOf(play), amount, delay_seconds: play.delaySeconds });
  const played = write(shop, (tx) => simulate(tx, shop.deps, payment.id, wish));

  const after = structuredClone(subject.model);
  const refusal = refusalOf(play, after);
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
  expect(await statusEventsOf(db, payment)).toEqual(model.events);
}

test(
  'any outcomes played together and one after another end as the contract says, in steps as in leaps',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        acts,
        fc.integer({ min: 2, max: 5 }),
        fc.constantFrom(0, 5),
        async (story, pieces, percent) => {
          for (const waits of [1, pieces]) {
            const subject = await openSubject(percent);
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
          expect(await auditFindings(db)).toEqual([]);
        },
      ),
      { numRuns: runs },
    );
  },
  timeoutMs,
);
