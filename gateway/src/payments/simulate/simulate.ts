import type { Database, Tx } from '../../kit/db/db.ts';
import { Refusal } from '../../kit/errors.ts';
import {
  isLater,
  keepSteps,
  type Play,
  type Report,
  runDue,
  type Shown,
  type Step,
  type StepScope,
  shownAtOnce,
} from '../../rails/simulated/rail.ts';
import type { StateDeps } from '../payment/state.ts';
import { dispute, expirePayment, failPayment } from '../settlement/act.ts';
import { type Changes, changePayments } from '../settlement/changes.ts';
import { applyReport, catchUp, lockReported, type TransferReport } from '../settlement/observe.ts';
import { chooseFirst, withFirstChoice } from './first-choice.ts';
import { scriptOf, type Wish } from './script.ts';

/** What is to be played to a test payment. */
export type Wished = { paymentId: string; wish: Wish };

/**
 * Plays outcomes to test payments that are open for changes, through the same code as a real chain's. All that happens
 * at once happens in this transaction; what comes later comes by the test clock. Returns for each why it cannot be
 * played (400 or 409: `scriptOf`), or null.
 */
export async function simulateAll(changes: Changes, wished: readonly Wished[]): Promise<(Refusal | null)[]> {
  const { tx, deps } = changes;
  const now = deps.now();
  const plays: Play[] = [];
  const refusals: (Refusal | null)[] = [];
  for (const { paymentId, wish } of wished) {
    await catchUp(changes, paymentId, now);
    const steps = await refusalOr(() => stepsOf(changes, paymentId, wish));
    refusals.push(steps instanceof Refusal ? steps : null);
    if (!(steps instanceof Refusal)) {
      const { integrationId } = changes.payment(paymentId);
      plays.push({ integrationId, paymentId, steps });
    }
  }
  await show(
    changes,
    plays.flatMap((play) => shownAtOnce(play, now)),
  );
  const later = plays.map((play) => ({ ...play, steps: play.steps.filter(isLater) }));
  await keepSteps(tx, later, now);
  return refusals;
}

/** The same for one payment. Throws its refusal. */
export async function simulate(tx: Tx, deps: StateDeps, paymentId: string, wish: Wish): Promise<void> {
  await changePayments(tx, deps, [paymentId], async (changes) => {
    const [refusal] = await simulateAll(changes, [{ paymentId, wish }]);
    if (refusal) throw refusal;
  });
}

/** Shows what the simulated chain has to show by now, of one integration or payment when given. */
export async function showDue(db: Database, deps: StateDeps, scope: StepScope = {}): Promise<number> {
  const report: Report = async (tx, shown) => {
    await changePayments(tx, deps, [...new Set(shown.map(paymentIdOf))], async (changes) => {
      await show(changes, shown, (error) => {
        // The payment has changed since it was planned, and no caller waits for the answer.
        if (!(error instanceof Refusal)) throw error;
      });
    });
  };
  return await runDue(db, report, deps.now(), scope);
}

/** The steps of a wish. An open payment is chosen for once it is clear that they can be played. */
async function stepsOf(changes: Changes, paymentId: string, wish: Wish): Promise<Step[]> {
  const { tx, deps } = changes;
  const payment = await withFirstChoice(tx, deps.assets, changes.payment(paymentId), deps.now());
  const steps = scriptOf(deps.assets, payment, changes.transfersOf(paymentId), wish);
  await chooseFirst(changes, paymentId);
  return steps;
}

async function refusalOr<T>(work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

const paymentIdOf = (shown: Shown): string =>
  'act' in shown ? shown.paymentId : shown.observation.paymentId;

type Act = Extract<Shown, { act: unknown }>;

const reportOf = ({ observation, at }: Exclude<Shown, Act>): TransferReport => ({ seen: observation, at });

/** Lets everything happen that is shown, in its order. `onFault` takes what an act throws. */
async function show(
  changes: Changes,
  shown: readonly Shown[],
  onFault: (error: unknown) => void = (error) => {
    throw error;
  },
): Promise<void> {
  await lockReported(
    changes,
    shown.flatMap((each) => ('act' in each ? [] : reportOf(each))),
  );
  for (const each of shown) {
    if ('act' in each) await happen(changes, each).catch(onFault);
    else await applyReport(changes, reportOf(each));
  }
}

async function happen(changes: Changes, { act, at, paymentId }: Act): Promise<void> {
  await catchUp(changes, paymentId, at);
  if (act === 'fail') await failPayment(changes, paymentId);
  else if (act === 'expire') await expirePayment(changes, paymentId, at);
  else await dispute(changes, paymentId, 'Simulated dispute');
}
