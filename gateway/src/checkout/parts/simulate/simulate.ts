import { type Html, html } from '../../../kit/http/html.ts';
import type { Outcome } from '../../../rails/simulated/scenarios.ts';
import type { PageContext } from '../../context.ts';
import { disclosure, postForm } from '../form.ts';
import { mixPart } from './simulate-mix.ts';

/** Outcomes of contract.md#calls, the three most used first. */
const COMMON = { success: 'simulateSuccess', failure: 'simulateFailure', expire: 'simulateExpire' } as const;
const RARE = {
  underpaid: 'simulateUnderpaid',
  exchange_fee: 'simulateExchangeFee',
  overpaid: 'simulateOverpaid',
  split: 'simulateSplit',
  late: 'simulateLate',
  wrong_token: 'simulateWrongToken',
  slow: 'simulateSlow',
  reorg: 'simulateReorg',
  dispute: 'simulateDispute',
} as const satisfies Partial<Record<Outcome, string>>;
type OutcomeMessage = (typeof COMMON)[keyof typeof COMMON] | (typeof RARE)[keyof typeof RARE];

/** Buttons that simulate an outcome, and a form that combines outcomes; null in live mode. */
export function simulatePart(context: PageContext, success: 'primary' | 'plain'): Html | null {
  const { t, view } = context;
  if (!context.offers('simulate') || view.mode !== 'test') return null;
  const button = ([outcome, key]: [string, OutcomeMessage]): Html =>
    html`<button class="button ${outcome === 'success' ? success : 'plain'}" name="outcome" value="${outcome}" id="simulate-${outcome}">${t(key)}</button>`;
  return html`<section class="simulate" aria-labelledby="simulate-title"><h2 id="simulate-title">${t('simulateTitle')}</h2><p>${t('simulateLead')}</p>${postForm(
    context,
    'simulate',
    html`<div class="outcomes">${Object.entries(COMMON).map(button)}</div>${disclosure(
      'more-outcomes',
      t('simulateMore'),
      html`<div class="outcomes rare">${Object.entries(RARE).map(button)}</div>`,
    )}`,
  )}${mixPart(context)}</section>`;
}
