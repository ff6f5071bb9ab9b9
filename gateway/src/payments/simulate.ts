import type { Database, Tx } from '../kit/db.ts';
import { Refusal } from '../kit/errors.ts';
import { playScript, type Report, runDue, type Shown, type StepScope } from '../rails/simulated/service.ts';
import { disputePayment, expirePayment, failPayment } from './act.ts';
import { bringUpToDate, lockPayment, recordTransfer } from './observe.ts';
import type { Payment } from './payment.ts';
import { transfersOf } from './received.ts';
import { scriptOf, type Wish } from './script.ts';
import type { StateDeps } from './state.ts';

/**
 * Plays outcomes to a test payment, through the same code as a real chain's. All that happens at once
 * happens in this transaction; what comes later comes by the test clock. Throws 400 or 409 where they cannot be
 * played: `scriptOf`.
 */
export async function simulate(tx: Tx, deps: StateDeps, paymentId: string, wish: Wish): Promise<void> {
  const payment = await upToDate(tx, deps, paymentId, deps.now());
  const script = scriptOf(deps.assets, payment, await transfersOf(tx, paymentId), wish);
  const report: Report = (inTx, shown, at) => happen(inTx, deps, shown, at);
  await playScript(tx, report, { integrationId: payment.integrationId, paymentId }, script, deps.now());
}

/** Shows what the simulated chain has to show by now, of one integration or payment when given. */
export async function showDue(db: Database, deps: StateDeps, scope: StepScope = {}): Promise<number> {
  const report: Report = async (tx, shown, at) => {
    await happen(tx, deps, shown, at).catch((error: unknown) => {
      // Since it was planned the payment has gone another way: there is nobody to tell.
      if (!('act' in shown && error instanceof Refusal)) throw error;
    });
  };
  return await runDue(db, report, deps.now(), scope);
}

async function happen(tx: Tx, deps: StateDeps, shown: Shown, at: Date): Promise<void> {
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
  return locked.dueAt && locked.dueAt < at ? await bringUpToDate(tx, deps, locked, at) : locked;
}
