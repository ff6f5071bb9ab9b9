import { refuse } from '../../kit/errors.ts';
import { invalid } from '../../kit/http/fields.ts';
import type { Assets } from '../../money/assets.ts';
import { type Act, newTransfer, type ScriptedTransfer, type Step } from '../../rails/simulated/rail.ts';
import { combine, gapSeconds, type Outcome, type Script } from '../../rails/simulated/scenarios.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { ChargedPayment, Payment } from '../payment/payment.ts';
import { missingUnits } from '../settlement/received.ts';
import type { TransferRow } from '../settlement/transfer.ts';
import { assetsOf, unitsOf } from './script-amount.ts';

/** What is to be played: outcomes that are combined, what is sent in all (a decimal), and when it begins. */
export type Wish = {
  outcomes: readonly Outcome[];
  amount?: string | undefined;
  delaySeconds?: number | undefined;
};

/**
 * The steps that the outcomes come to for the payment as it is now, in their order. Throws 400 where they do not
 * combine or the amount contradicts them, and 409 where the payment's status leaves nothing to play.
 */
export function scriptOf(
  assets: Assets,
  payment: ChargedPayment,
  transfers: TransferRow[],
  wish: Wish,
): Step[] {
  const combined = combine(wish.outcomes);
  if ('why' in combined) throw invalid('outcome', combined.why);
  const { script } = combined;
  const { amount, delaySeconds = 0 } = wish;
  const missing = missingUnits(assets, payment, transfers);
  const sent = sentOf(assets, { payment, script, missing, amount });
  const first = firstOf(payment, script);
  if (sent.length === 0) assertPlayable(payment, script);

  const steps: Step[] = sent
    .flatMap((transfer, index) => stepsOf(script, transfer, delaySeconds + index * gapSeconds))
    .sort((one, other) => one.afterSeconds - other.afterSeconds);
  // The deadline passes at once when money is to come after it.
  if (first) steps.unshift({ afterSeconds: sent.length > 0 ? 0 : delaySeconds, act: first });
  if (script.last) steps.push({ afterSeconds: steps.at(-1)?.afterSeconds ?? delaySeconds, act: script.last });
  return steps;
}

function stepsOf({ pace }: Script, transfer: ScriptedTransfer, beginsAfter: number): Step[] {
  return pace.map(({ afterSeconds, state, confirmations }) => ({
    afterSeconds: beginsAfter + afterSeconds,
    transfer,
    state,
    confirmations,
  }));
}

function sentOf(assets: Assets, sum: Parameters<typeof unitsOf>[0]): ScriptedTransfer[] {
  const { payment, script } = sum;
  const used = assetsOf(assets, payment, script).map((asset) => {
    if (asset) return asset;
    throw notPossible(payment, `there is no other network for ${payment.currency}`);
  });
  return unitsOf(sum, used)
    .filter(({ units }) => units > 0n)
    .map(({ asset, units }) => newTransfer(asset.code, units));
}

const open: ReadonlySet<Payment['status']> = new Set(['unlinked', 'linked', 'pending']);

/** What happens to the payment before the money comes; null where nothing does, or its deadline has passed already. */
function firstOf(payment: Payment, { first, amount }: Script): Act | null {
  if (first === null || open.has(payment.status)) return first;
  if (first === 'expire' && amount !== 'nothing' && payment.status === 'cancelled') return null;
  const end = first === 'fail' ? 'fail' : 'expire';
  throw notPossible(payment, `only one that is unlinked, linked or pending can ${end}`);
}

/** Refuses a script that sends nothing, unless it needs no money, or disputes what is paid. */
function assertPlayable(payment: Payment, { amount, first, last }: Script): void {
  if (amount === 'nothing' || (last === 'dispute' && first === null)) return;
  throw notPossible(payment, 'nothing is missing; name an amount to send more');
}

function notPossible({ status }: Payment, why: string) {
  return refuse(paymentErrors.not_playable, { status, why });
}
