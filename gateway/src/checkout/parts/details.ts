import { type Html, type HtmlValue, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { adjustmentText, rateText } from '../priced.ts';
import { receiptPath } from '../receipts/receipt.ts';
import { code, copyButton } from './copy.ts';
import { disclosure } from './form.ts';
import { contactLinks } from './links.ts';
import { timeText } from './time.ts';
import { transfersPart } from './transfers.ts';

export type Fact = [name: HtmlValue, value: HtmlValue];

/** The details of the payment in a disclosure: times, reference, transfers. The order column has goods and sums. */
export function detailsPart(context: PageContext): Html {
  return disclosure(
    'details',
    context.t('details'),
    html`${facts([...timeFacts(context), referenceFact(context)])}${transfersPart(context)}`,
  );
}

/** What a completed payment was, and a link to its receipt; its goods and sums are those of the order column. */
export function receiptPart(context: PageContext): Html {
  const { t, view } = context;
  return html`<section class="receipt"><h2>${t('receipt')}</h2>${facts([
    [t('paidTo'), html`<bdi>${view.integration.name}</bdi>`],
    ...contactFacts(context),
    ...priceFacts(context),
    ...timeFacts(context),
    ...networkFacts(context),
    referenceFact(context),
  ])}${receiptLink(context)}</section>`;
}

/** In a frame of a shop it opens beside the shop's page, since the receipt stands in no frame. */
function receiptLink({ t, payPath, query, locale, frame }: PageContext): Html {
  const href = `${receiptPath(payPath)}?${query}&lang=${locale}`;
  return html`<a class="button plain" id="receipt" href="${href}"${frame && html` target="_blank" rel="noopener noreferrer"`}>${t('receiptShow')}</a>`;
}

/** The transfers of a completed payment; its receipt shows everything else. */
export function receiptDetailsPart(context: PageContext): Html | null {
  if (context.view.transfers.length === 0) return null;
  return disclosure('details', context.t('details'), html`${transfersPart(context)}`);
}

/** A list of names and values. */
export function facts(rows: Fact[]): Html {
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** The reference with its copy button. */
function referenceValue(context: PageContext, id: string): Html {
  return html`${code(context.view.reference)}${copyButton(context, 'reference', context.view.reference, id)}`;
}

/** What a customer needs to write to the shop: the reference, and the shop's address. */
export function writeToShopPart(context: PageContext, lead: HtmlValue, id: string): Html {
  const { integration, reference } = context.view;
  const contact = contactLinks(integration, reference);
  return html`<div class="panel"><p>${lead}</p><p class="reference">${referenceValue(context, id)}</p>${contact && html`<p>${contact}</p>`}</div>`;
}

/** What was added to a price, and the rate at which it was paid; its amounts are those of the order column. */
function priceFacts(context: PageContext): Fact[] {
  const { t, view } = context;
  const [rate, adjustment] = [rateText(context), adjustmentText(context, view.price?.adjustment ?? 0)];
  return [
    ...(adjustment ? [[t('price'), adjustment] as Fact] : []),
    ...(rate === null ? [] : [[t('rate'), html`<bdi dir="ltr">${rate}</bdi>`] as Fact]),
  ];
}

function contactFacts({ t, view }: PageContext): Fact[] {
  const contact = contactLinks(view.integration, view.reference);
  return contact ? [[t('contact'), contact]] : [];
}

function referenceFact(context: PageContext): Fact {
  return [context.t('reference'), referenceValue(context, 'reference')];
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

/** The network of each transfer that counts, and its transaction in full: a receipt may be on paper. */
function networkFacts({ t, view }: PageContext): Fact[] {
  const counting = view.transfers.filter(
    ({ state, currency }) => state !== 'gone' && currency === view.currency,
  );
  return counting.flatMap(({ network, transaction }): Fact[] => [
    ...(network === null ? [] : [[t('network'), bdi(network)] as Fact]),
    [t('transaction'), code(transaction)],
  ]);
}

function bdi(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}
