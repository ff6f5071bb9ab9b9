import type { Database, Tx } from '../../kit/db/db.ts';
import { Refusal } from '../../kit/errors.ts';
import { playScript, type Report, runDue, type Shown, type StepScope } from '../../rails/simulated/rail.ts';
import { disputePayment, expirePayment, failPayment } from '../act.ts';
import { lockMoney, lockPayment, lockPayments } from '../locks.ts';
import { bringUpToDate } from '../moves.ts';
import { recordTransfer } from '../observe.ts';
import type { Payment } from '../payment.ts';
import { transfersOf } from '../received.ts';
import type { StateDeps } from '../state.ts';
import { scriptOf, type Wish } from './script.ts';

/**
 * Plays outcomes to a test payment, through the same code as a real chain's. All that happens at once
 * happens in this transaction; what comes later comes by the test clock. Throws 400 or 409 where they cannot be
 * played: `scriptOf`.
 */
export async function simulate(tx: Tx, deps: StateDeps, paymentId: string, wish: Wish): Promise<void> {
  const now = deps.now();
  const locked = await lockPayment(tx, paymentId);
  // What is due may be booked before it is known which assets the script sends.
  if (isDue(locked, now)) {
    await lockMoney(tx, [{ payment: locked, assets: deps.assets.all.map(({ code }) => code) }]);
  }
  const payment = await upToDate(tx, deps, paymentId, now);
  const script = scriptOf(deps.assets, payment, await transfersOf(tx, paymentId), wish);
  const report: Report = async (inTx, shown) => {
    await lockShown(inTx, shown);
    for (const each of shown) await happen(inTx, deps, each);
  };
  await playScript(tx, report, { integrationId: payment.integrationId, paymentId }, script, now);
}

/** Shows what the simulated chain has to show by now, of one integration or payment when given. */
export async function showDue(db: Database, deps: StateDeps, scope: StepScope = {}): Promise<number> {
  const report: Report = async (tx, shown) => {
    await lockShown(tx, shown);
    for (const each of shown) {
      await happen(tx, deps, each).catch((error: unknown) => {
        // The payment has changed since it was planned, and no caller waits for the answer.
        if (!('act' in each && error instanceof Refusal)) throw error;
      });
    }
  };
  return await runDue(db, report, deps.now(), scope);
}

const paymentIdOf = (shown: Shown): string =>
  'act' in shown ? shown.paymentId : shown.observation.paymentId;

/** Locks all payments, and then all that is booked for them, before anything happens to the first. */
async function lockShown(tx: Tx, shown: readonly Shown[]): Promise<void> {
  const payments = await lockPayments(tx, [...new Set(shown.map(paymentIdOf))]);
  const booked = shown.flatMap((each) =>
    'observation' in each && each.observation.state !== 'seen' ? [each.observation] : [],
  );
  await lockMoney(
    tx,
    payments.map((payment) => ({
      payment,
      assets: booked.filter(({ paymentId }) => paymentId === payment.id).map(({ asset }) => asset),
    })),
    booked
      .filter(({ state }) => state === 'final')
      .map(({ rail, asset }) => ({ kind: 'external', owner: rail, mode: 'test', asset })),
  );
}

async function happen(tx: Tx, deps: StateDeps, shown: Shown): Promise<void> {
  const { at } = shown;
  if ('observation' in shown) {
    await recordTransfer(tx, deps, shown.observation, at);
    return;
  }
  const { id } = await upToDate(tx, deps, shown.paymentId, at);
  if (shown.act === 'fail') await failPayment(tx, deps, id);
  else if (shown.act === 'expire') await expirePayment(tx, deps, id, at);
  else await disputePayment(tx, deps, id, 'Simulated dispute');
}

/** The payment, locked, after what was due before that moment. */
async function upToDate(tx: Tx, deps: StateDeps, paymentId: string, at: Date): Promise<Payment> {
  const locked = await lockPayment(tx, paymentId);
  return isDue(locked, at) ? await bringUpToDate(tx, deps, locked, at) : locked;
}

const isDue = ({ dueAt }: Payment, at: Date): boolean => dueAt !== null && dueAt < at;
