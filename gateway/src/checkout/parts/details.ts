import { type Html, type HtmlValue, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { isZero } from '../format.ts';
import { code, copyButton } from './copy.ts';
import { disclosure } from './form.ts';
import { timeText } from './time.ts';
import { transfersPart } from './transfers.ts';

type Fact = [name: HtmlValue, value: HtmlValue];

/** The details of the payment in a disclosure: items, sums, times, reference, transfers. */
export function detailsPart(context: PageContext): Html {
  return disclosure(
    'details',
    context.t('details'),
    html`${itemsPart(context)}${facts([...sumFacts(context), ...timeFacts(context), referenceFact(context)])}${transfersPart(context)}`,
  );
}

/** The receipt of a completed payment. */
export function receiptPart(context: PageContext): Html {
  const { t, view } = context;
  return html`<section class="receipt"><h2>${t('receipt')}</h2>${facts([
    [t('paidTo'), html`<bdi>${view.integration.name}</bdi>`],
    ...sumFacts(context),
    ...timeFacts(context),
    referenceFact(context),
  ])}</section>`;
}

/** Items and transfers of a completed payment; its receipt shows the sums. */
export function receiptDetailsPart(context: PageContext): Html | null {
  if (context.view.items.length === 0 && context.view.transfers.length === 0) return null;
  return disclosure('details', context.t('details'), html`${itemsPart(context)}${transfersPart(context)}`);
}

/** A list of names and values. */
export function facts(rows: Fact[]): Html {
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** The reference with its copy button. */
export function referenceValue(context: PageContext, id: string): Html {
  return html`${code(context.view.reference)}${copyButton(context, 'reference', context.view.reference, id)}`;
}

function referenceFact(context: PageContext): Fact {
  return [context.t('reference'), referenceValue(context, 'reference')];
}

function sumFacts({ t, view, amount }: PageContext): Fact[] {
  const total: Fact = [t('total'), html`<strong>${bdi(amount(view.amountDue))}</strong>`];
  const rows: Fact[] =
    view.feePayer === 'customer' && !isZero(view.fee)
      ? [[t('price'), bdi(amount(view.amount))], [t('fee'), bdi(amount(view.fee))], total]
      : [total, [t('fee'), t('feeNone')]];
  const asExpected = isZero(view.amountReceived) || (isZero(view.amountMissing) && isZero(view.overpayment));
  return asExpected ? rows : [...rows, [t('received'), bdi(amount(view.amountReceived))]];
}

function timeFacts(context: PageContext): Fact[] {
  const { t, view } = context;
  const row = (name: HtmlValue, date: Date): Fact => [
    name,
    html`<bdi>${timeText(context, date, true)}</bdi>`,
  ];
  const created = row(t('createdAt'), view.createdAt);
  return view.completedAt ? [created, row(t('paidAt'), view.completedAt)] : [created];
}

function itemsPart({ t, view, amount }: PageContext): Html | null {
  if (view.items.length === 0) return null;
  return html`<h2>${t('items')}</h2><ul class="items">${view.items.map(
    (item) =>
      html`<li><span><bdi>${item.name}</bdi>${item.quantity !== 1 && html` <span class="times">× ${item.quantity}</span>`}</span>${bdi(amount(String(item.price)))}</li>`,
  )}</ul>`;
}

function bdi(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}
