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

/** One transfer of a scenario: its part of what is missing, in halves, and what the chain shows of it. */
type Part = { halves: bigint; steps: ScriptedTransfer['steps'] };

const whole: Part[] = [{ halves: 2n, steps: atOnce }];

const scenarios: Partial<Record<Outcome, Part[]>> = {
  success: whole,
  underpaid: [{ halves: 1n, steps: atOnce }],
  overpaid: [{ halves: 3n, steps: atOnce }],
  split: [
    { halves: 1n, steps: atOnce },
    { halves: 1n, steps: laterOn },
  ],
  late: whole,
  wrong_token: whole,
  slow: [{ halves: 2n, steps: slowly }],
  reorg: [{ halves: 2n, steps: reorged }],
  dispute: whole,
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
  parts: Part[],
): Promise<ScriptedTransfer[]> {
  const asset = outcome === 'wrong_token' ? otherAsset(assets, payment) : assetOf(assets, payment);
  const fine = missingUnits(assets, payment, await transfersOf(tx, payment.id));
  const missing = sendableUnits(fine, asset.scale);
  return parts.flatMap(({ halves, steps }, index): ScriptedTransfer[] => {
    const part = (missing * halves) / 2n;
    // The last part takes what the one before rounded away.
    const units = index > 0 ? missing - part : part;
    return units > 0n ? [{ asset: asset.code, units, steps }] : [];
  });
}

function assetOf(assets: Assets, payment: Payment): Asset {
  const chosen = payment.method ? assets.find(payment.method) : undefined;
  return chosen ?? assets.defaultOf(payment.currency);
}

function otherAsset(assets: Assets, payment: Payment): Asset {
  return assets.all.find((each) => each.currency !== payment.currency)!;
}
