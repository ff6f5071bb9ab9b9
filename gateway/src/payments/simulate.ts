import type { Asset, Assets } from '../kit/assets.ts';
import type { Database, Tx } from '../kit/db.ts';
import { refuse } from '../kit/errors.ts';
import {
  atOnce,
  laterOn,
  type Report,
  reorged,
  runDue,
  type ScriptedTransfer,
  type StepScope,
  scheduleTransfers,
  showSome,
  slowly,
} from '../rails/simulated/service.ts';
import { disputePayment, expirePayment, failPayment } from './act.ts';
import { paymentErrors } from './errors.ts';
import { lockPayment, recordTransfer } from './observe.ts';
import type { Payment } from './payment.ts';
import { missingUnits, sendableUnits, transfersOf } from './received.ts';
import type { Outcome } from './schema.ts';
import type { StateDeps } from './state.ts';

/** Transfers of a scenario: the part of the missing amount that each carries, and what the chain shows of it. */
type Scenario = { parts: [numerator: bigint, denominator: bigint][]; steps: ScriptedTransfer['steps'][] };

const scenarios: Partial<Record<Outcome, Scenario>> = {
  success: { parts: [[1n, 1n]], steps: [atOnce] },
  underpaid: { parts: [[1n, 2n]], steps: [atOnce] },
  overpaid: { parts: [[3n, 2n]], steps: [atOnce] },
  split: {
    parts: [
      [1n, 2n],
      [1n, 2n],
    ],
    steps: [atOnce, laterOn],
  },
  late: { parts: [[1n, 1n]], steps: [atOnce] },
  wrong_token: { parts: [[1n, 1n]], steps: [atOnce] },
  slow: { parts: [[1n, 1n]], steps: [slowly] },
  reorg: { parts: [[1n, 1n]], steps: [reorged] },
  dispute: { parts: [[1n, 1n]], steps: [atOnce] },
};

/**
 * Plays an outcome on a test payment, through the same code as a real chain's. All that happens at once
 * happens in this transaction; what comes later comes by the test clock. Throws `not_possible` where the
 * payment's status does not allow it.
 */
export async function simulate(tx: Tx, deps: StateDeps, paymentId: string, outcome: Outcome): Promise<void> {
  await begin(tx, deps, paymentId, outcome);
  await showSome(tx, reportTo(deps), deps.now(), { paymentId });
  if (outcome === 'dispute') await disputePayment(tx, deps, paymentId, 'Simulated dispute');
}

/** Shows what the simulated chain has to show by now, of one integration or payment when given. */
export async function showDue(db: Database, deps: StateDeps, scope: StepScope = {}): Promise<number> {
  return await runDue(db, reportTo(deps), deps.now(), scope);
}

function reportTo(deps: StateDeps): Report {
  return async (tx, observation, at) => {
    await recordTransfer(tx, deps, observation, at);
  };
}

async function begin(tx: Tx, deps: StateDeps, paymentId: string, outcome: Outcome): Promise<void> {
  const payment = await lockPayment(tx, paymentId);
  if (outcome === 'failure') {
    await failPayment(tx, deps, paymentId);
    return;
  }
  if (outcome === 'expire' || (outcome === 'late' && payment.status !== 'cancelled')) {
    await expirePayment(tx, deps, paymentId);
  }
  const scenario = scenarios[outcome];
  if (!scenario) return;
  const transfers = await scriptOf(tx, deps.assets, payment, outcome, scenario);
  if (transfers.length > 0) {
    await scheduleTransfers(tx, { integrationId: payment.integrationId, paymentId }, transfers, deps.now());
  } else if (outcome !== 'dispute') {
    throw refuse(paymentErrors.not_possible, { status: payment.status });
  }
}

/** The scenario's transfers for what is still missing; none when nothing is. */
async function scriptOf(
  tx: Tx,
  assets: Assets,
  payment: Payment,
  outcome: Outcome,
  { parts, steps }: Scenario,
): Promise<ScriptedTransfer[]> {
  const asset = outcome === 'wrong_token' ? otherAsset(assets, payment) : assetOf(assets, payment);
  const fine = missingUnits(assets, payment, await transfersOf(tx, payment.id));
  const missing = sendableUnits(fine, asset.scale);
  return parts.flatMap(([numerator, denominator], index): ScriptedTransfer[] => {
    const part = (missing * numerator) / denominator;
    // The last part takes what the one before rounded away.
    const units = index > 0 ? missing - part : part;
    return units > 0n ? [{ asset: asset.code, units, steps: steps[index]! }] : [];
  });
}

function assetOf(assets: Assets, payment: Payment): Asset {
  const chosen = payment.method ? assets.find(payment.method) : undefined;
  return chosen ?? assets.defaultOf(payment.currency);
}

function otherAsset(assets: Assets, payment: Payment): Asset {
  return assets.all.find((each) => each.currency !== payment.currency)!;
}
