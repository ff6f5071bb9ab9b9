import { type Html, html } from '../../kit/http/html.ts';
import { decimalOf } from '../../money/money.ts';
import type { PaidShop } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { icon } from '../icons.ts';
import type { Sentence, Translate } from '../messages/translate.ts';
import { type Fact, facts } from '../parts/details.ts';
import { hasFee, isAsExpected, isOpen, lineScale, lineUnits, priceTotal } from '../priced.ts';
import { pricedSum } from './priced-sum.ts';

/** Longest amounts, in characters, that fit into the column at the two largest sizes. */
const displayLength = 9;
const largeLength = 14;

/** What is shown largest: a sum with its currency. `number` is formatted; `note` says what it is made of. */
type Headline = { label: Sentence; number: string; currency: string; note: Html | false };

/**
 * The order: left on a desk, above everything else on a phone. It has its place and width in every state, and
 * only what has changed in it changes. A price in the shop's own money is the headline, with what pays it below.
 */
export function orderPart(context: PageContext, { amountLabel, amount }: OrderSum): Html {
  const { t, view, format } = context;
  const isWhole = amount === view.amountDue;
  const { currency, fee } = view.price ?? view;
  const total = priceTotal(view);
  const feeNote =
    hasFee(view) && (total !== null || isWhole) && t('feeIncluded', { fee: context.asked(fee) });
  return orderColumn(t, view.integration, {
    headline: {
      // What a shop accepted in place of the whole is no price.
      label: total !== null && !isWhole ? t('price') : amountLabel,
      number: format.number(total ?? amount, currency),
      currency,
      note:
        total === null
          ? feeNote
          : html`${pricedSum(context, amount)}${feeNote && html`<p class="amount-note">${feeNote}</p>`}`,
    },
    goods: goodsPart(context),
  });
}

/** The sum of an order that matters in the state of its payment, as a decimal string of the payment's currency. */
export type OrderSum = { amountLabel: Sentence; amount: string };

/** The column itself, for pages with or without a payment. */
export function orderColumn(
  t: Translate,
  shop: ShopShown,
  { headline, goods }: { headline: Headline | null; goods: Html | null },
): Html {
  const { sentence } = shop;
  return html`<div class="order">${shopPart(t, shop)}${sentence !== null && html`<p class="sentence"><bdi>${sentence}</bdi></p>`}${headline && headlinePart(headline)}${goods}</div>`;
}

type ShopShown = Pick<PaidShop, 'name' | 'logoUrl' | 'domain' | 'sentence'>;

/** The logo and name of the shop. */
function shopPart(t: Translate, { name, logoUrl, domain }: ShopShown): Html {
  const mark = logoUrl
    ? html`<img class="logo" src="${logoUrl}" alt="" width="40" height="40">`
    : html`<span class="monogram" aria-hidden="true">${[...name][0]?.toUpperCase()}</span>`;
  return html`<div class="merchant">${mark}<span><bdi>${name}</bdi>${domain && html`<span class="domain">${icon('check')}<span class="visually-hidden">${t('verifiedDomain')}: </span><bdi dir="ltr">${domain}</bdi></span>`}</span></div>`;
}

function headlinePart({ label, number, currency, note }: Headline): Html {
  return html`<div class="amount"><p class="amount-label">${label}</p><p class="amount-value ${sizeOf(number)}"><bdi dir="ltr">${number} <span>${currency}</span></bdi></p>
${note && html`<div class="amount-note">${note}</div>`}</div>`;
}

function sizeOf({ length }: string): 'display' | 'large' | 'lead-size' {
  if (length <= displayLength) return 'display';
  return length <= largeLength ? 'large' : 'lead-size';
}

/**
 * The goods and the sums. A phone shows them behind one line. They stand beside its disclosure, not in it, because a desk
 * shows them without one.
 */
function goodsPart(context: PageContext): Html {
  const { view } = context;
  return html`${view.items.length > 0 && goodsLine(context)}<div class="goods">${itemsPart(context)}${facts(sumFacts(context))}</div>`;
}

function goodsLine({ t, view, asked }: PageContext): Html {
  const { items } = view;
  const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const count = items.every(({ quantity }) => Number.isSafeInteger(quantity)) ? pieces : items.length;
  const total = items.reduce<bigint | null>((sum, item) => {
    const units = lineUnits(item);
    return sum === null || units === null ? null : sum + units;
  }, 0n);
  return html`<details id="goods"><summary id="goods-summary"><span>${t('itemCount', { count })}${total !== null && html` · ${bdi(asked(decimalOf(total, lineScale)))}`}</span></summary></details>`;
}

function itemsPart({ t, view, asked }: PageContext): Html | null {
  if (view.items.length === 0) return null;
  return html`<ul class="items" aria-label="${t('items').text}">${view.items.map((item) => {
    const { name, price, quantity } = item;
    const units = lineUnits(item);
    const each =
      quantity !== 1 &&
      html` <span class="times">× ${quantity} · ${t('itemEach', { price: asked(`${price}`) })}</span>`;
    return html`<li><span><bdi>${name}</bdi>${each}</span>${bdi(asked(units === null ? `${price}` : decimalOf(units, lineScale)))}</li>`;
  })}</ul>`;
}

function sumFacts({ t, view, amount, asked }: PageContext): Fact[] {
  const { amount: price, fee } = view.price ?? view;
  const total: Fact = [t('total'), html`<strong>${bdi(asked(priceTotal(view) ?? view.amountDue))}</strong>`];
  // The fee of a price follows from what it will be paid in.
  if (isOpen(view) && view.feePayer === 'customer') return [[t('price'), bdi(asked(price))]];
  const rows: Fact[] = hasFee(view)
    ? [[t('price'), bdi(asked(price))], [t('fee'), bdi(asked(fee))], total]
    : [[t('fee'), t('feeNone')], total];
  return isAsExpected(view) ? rows : [...rows, [t('received'), bdi(amount(view.amountReceived))]];
}

function bdi(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}
