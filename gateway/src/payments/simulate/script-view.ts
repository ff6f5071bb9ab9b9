import type { Clock } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { Step } from '../../rails/simulated/rail.ts';
import {
  combinesWith,
  confirmationsNeeded,
  outcomes,
  type Scenario,
  scenarios,
} from '../../rails/simulated/scenarios.ts';
import type { Payment } from '../payment/payment.ts';
import { transfersOf } from '../settlement/received.ts';
import { withFirstChoice } from './first-choice.ts';
import { scriptOf, type Wish } from './script.ts';

/** Every outcome that can be played, with what it does and what it may be played together with. */
export function scenarioList() {
  const items = outcomes.map((outcome) => {
    const { title, happens, ends, changes }: Scenario = scenarios[outcome];
    const takesAmount = changes.amount === undefined || typeof changes.amount === 'object';
    return { outcome, title, happens, ends, takes_amount: takesAmount, combines_with: combinesWith(outcome) };
  });
  return { items, next_cursor: null };
}

/** What `simulate` would do to the payment as it is now; throws what that would throw. */
export async function plannedScript(
  reader: Reader,
  { assets, now }: { assets: Assets; now: Clock },
  asked: Payment,
  wish: Wish,
) {
  const payment = await withFirstChoice(reader, assets, asked, now());
  const script = scriptOf(assets, payment, await transfersOf(reader, payment.id), wish);
  const transfers = new Set(script.flatMap((step) => ('act' in step ? [] : [step.transfer.transaction])));
  return { steps: script.map((step) => stepView(assets, step, [...transfers])) };
}

function stepView(assets: Assets, step: Step, transfers: readonly string[]) {
  const after_seconds = step.afterSeconds;
  if ('act' in step) return { after_seconds, what: step.act, transfer: null };
  const { asset, units, transaction } = step.transfer;
  return {
    after_seconds,
    what: step.state,
    transfer: {
      number: transfers.indexOf(transaction) + 1,
      asset,
      amount: decimalOf(units, assets.get(asset).scale),
      confirmations: step.confirmations,
      needed: confirmationsNeeded,
    },
  };
}
