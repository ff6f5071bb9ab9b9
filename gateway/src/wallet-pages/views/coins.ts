import { type Html, html } from '../../kit/http/html.ts';
import type { Balance } from '../../ledger/ledger.ts';
import { fineScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { minorDigits } from '../../money/price-currencies.ts';
import { type Worth, worthOf, worthOfAll } from '../../wallets/worth.ts';
import type { Coin } from '../coins.ts';
import { amountOf, linkTo, type PageContext } from '../context.ts';

/** One row for each coin, with its networks below, and what it is worth in the user's own money beside it. */
export function coinsPart(context: PageContext, coins: readonly Coin[], worth: Worth | null): Html {
  return html`<ul class="coin-rows">${coins.map((coin) => coinPart(context, coin, worth))}</ul>
${worthPart(context, coins, worth)}`;
}

function coinPart(context: PageContext, coin: Coin, worth: Worth | null): Html {
  const { format } = context;
  const { currency, units, places } = coin;
  const amount = format.amount(decimalOf(units, fineScale), currency);
  const value = worth && worthOf(worth, coin);
  return html`<li><p class="coin-sum"><strong class="coin-amount"><bdi dir="ltr">${amount}</bdi></strong>${worth && value !== null && html`<span class="coin-worth"><bdi dir="ltr">≈\u00a0${moneyIn(context, worth, value)}</bdi></span>`}</p>
${worth && ratePart(context, coin, worth)}
<ul class="places">${places.map((place) => placePart(context, place, places.length > 1))}</ul></li>`;
}

/** A network, with its amount unless that is the sum. */
function placePart(context: PageContext, { asset, available, held }: Balance, isPart: boolean): Html {
  const { say, site } = context;
  const amount = isPart && html`<bdi dir="ltr">${amountOf(context, asset, available + held)}</bdi>`;
  return html`<li><bdi>${site.assets.get(asset).network}</bdi>${amount}${held > 0n && html`<span class="held">${say('held', { amount: amountOf(context, asset, held) })}</span>`}</li>`;
}

/** The rate and its time, or that there is none. */
function ratePart({ say, t, format, now }: PageContext, { currency }: Coin, worth: Worth): Html {
  const found = worth.rateOf(currency);
  if (!found) return html`<p class="coin-rate">${say('valueNone', { currency: worth.currency })}</p>`;
  const time =
    found.at === null
      ? t('testLabel')
      : html`<time datetime="${found.at.toISOString()}">${format.time(found.at, now)}</time>`;
  return html`<p class="coin-rate"><bdi dir="ltr">1\u00a0${currency} = ${format.rate(found.rate)}\u00a0${worth.currency}</bdi> · ${time}</p>`;
}

/** What all coins are worth together, and the way to another currency. */
function worthPart(context: PageContext, coins: readonly Coin[], worth: Worth | null): Html {
  const { say } = context;
  const total = worth && coins.length > 1 ? worthOfAll(worth, coins) : null;
  return html`<p class="worth">${worth && total !== null && html`<span>${say('valueTotal', { amount: moneyIn(context, worth, total) })}</span>`}<a href="${linkTo(context, 'currency')}">${say('valueTitle')}</a></p>`;
}

function moneyIn({ format }: PageContext, { currency }: Worth, value: bigint): string {
  return format.amount(decimalOf(value, minorDigits(currency)), currency);
}
