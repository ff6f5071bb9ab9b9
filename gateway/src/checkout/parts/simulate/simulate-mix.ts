import { type Html, html } from '../../../kit/http/html.ts';
import type { Outcome } from '../../../rails/simulated/scenarios.ts';
import type { PageContext } from '../../context.ts';
import type { en } from '../../messages/en.ts';
import type { MixChoice } from '../../mix-choice.ts';
import { isOpen } from '../../priced.ts';
import { disclosure, postForm } from '../form.ts';

type Plain = {
  [K in keyof typeof en]: (typeof en)[K] extends string
    ? (typeof en)[K] extends `${string}{${string}`
      ? never
      : K
    : never;
}[keyof typeof en];

/** One aspect of a simulation. At most one of its outcomes is chosen; `none` is the text for choosing none. */
export type Aspect = { id: string; label: Plain; none: Plain; outcomes: Partial<Record<Outcome, Plain>> };

/** Outcomes that decide the same aspect do not combine, so they are in one list. */
export const aspects: readonly Aspect[] = [
  { id: 'when', label: 'simulateWhen', none: 'simulateInTime', outcomes: { late: 'simulateLate' } },
  {
    id: 'how-much',
    label: 'simulateHowMuch',
    none: 'simulateFull',
    outcomes: {
      underpaid: 'simulateUnderpaid',
      exchange_fee: 'simulateExchangeFee',
      overpaid: 'simulateOverpaid',
    },
  },
  {
    id: 'how',
    label: 'simulateHow',
    none: 'simulateOneTransfer',
    outcomes: {
      split: 'simulateSplit',
      two_networks: 'simulateTwoNetworks',
      two_currencies: 'simulateTwoCurrencies',
      wrong_token: 'simulateWrongToken',
      dust: 'simulateDust',
    },
  },
  {
    id: 'pace',
    label: 'simulatePace',
    none: 'simulateAtOnce',
    outcomes: { slow: 'simulateSlow', reorg: 'simulateReorg' },
  },
  { id: 'after', label: 'simulateAfter', none: 'simulateNothing', outcomes: { dispute: 'simulateDispute' } },
];

/** A form of lists that combines outcomes, with an amount and a delay. It needs no script. */
export function mixPart(context: PageContext): Html {
  const { t, view, mixChoice } = context;
  const chosen: readonly string[] = mixChoice?.outcomes ?? [];
  const list = ({ id, label, none, outcomes }: Aspect): Html => {
    const options = Object.entries(outcomes).map(
      ([outcome, key]) =>
        html`<option value="${outcome}"${chosen.includes(outcome) && html` selected`}>${t(key)}</option>`,
    );
    return html`<div class="field"><label for="mix-${id}">${t(label)}</label><select id="mix-${id}" name="outcome"><option value="">${t(none)}</option>${options}</select></div>`;
  };
  const fields = html`<div class="mix">${aspects.map(list)}<div class="field"><label for="mix-amount">${t('simulateAmount', { currency: (isOpen(view) && view.choices[0]?.currency) || view.currency })}</label><input id="mix-amount" name="amount" inputmode="decimal" autocomplete="off" dir="ltr" placeholder="${t('simulateAmountHint').text}" value="${mixChoice?.amount}"></div><div class="field"><label for="mix-delay">${t('simulateDelay')}</label><input id="mix-delay" name="delay_seconds" inputmode="numeric" autocomplete="off" dir="ltr" pattern="[0-9]{1,7}" placeholder="0" value="${mixChoice?.delaySeconds}"></div></div><button class="button plain">${t('simulatePlay')}</button>`;
  return disclosure(
    'mix-outcomes',
    t('simulateMix'),
    postForm(context, 'simulate', fields, 'mix-form'),
    isChosenHere(mixChoice),
  );
}

/** Whether the choice was made in this form, and not by a button for a single outcome. */
function isChosenHere(mixChoice: MixChoice | null | undefined): boolean {
  if (!mixChoice) return false;
  const listed = aspects.some(({ outcomes }) => mixChoice.outcomes.some((outcome) => outcome in outcomes));
  return listed || mixChoice.amount !== '' || mixChoice.delaySeconds !== '';
}
