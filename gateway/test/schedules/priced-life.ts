import { expect } from 'vitest';
import type { Database } from '../../src/kit/db/db.ts';
import type { PriceCurrency } from '../../src/money/price-currencies.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import { setAccountingCurrency } from '../../src/rates/history.ts';
import { setTestRate } from '../../src/rates/set-test-rate.ts';
import { typeRate } from '../../src/rates/typed-rate.ts';
import { noRail, openShop, type Shop, write } from '../support/payment-fixtures.ts';
import { type ModelReport, type ModelTransfer, noteTransfer } from './model-transfers.ts';
import { type AssetCode, coinOf, type Life } from './payment-lives.ts';
import { isOpen, type Model, modelChoice, modelTime, modelTransfer, newModel } from './payment-model.ts';
import {
  type Coin,
  chargeOf,
  type ModelPrice,
  type ModelQuote,
  modelScale,
  quoteIn,
  rateDecimals,
  textAt,
} from './price-model.ts';

// What a payment asks in a random life: an amount, a price that is quoted at once, or one whose customer chooses the coin. The
// model makes each quote by itself, at the rate of its moment.

export type PricedLife = {
  /** The coin that is paid now; null: its customer has chosen none. */
  own: Coin | null;
  price: ModelPrice | null;
  /** The coins that its customer may choose; of one that is not open the only one. */
  offered: readonly Coin[];
  rates: Map<Coin, { rate: bigint; usd: bigint }>;
  /** In the order in which their customer was shown them; of an amount what is due, at no rate. */
  shown: ModelQuote[];
  transfers: Record<Coin, Map<string, ModelTransfer>>;
  /** How often money took the payment from one coin to another. */
  switches: number;
  /** For what rails were asked for addresses. */
  opened: string[];
  terms: Life['terms'];
};

/** Units at the finest scale for the smallest unit of a coin. */
export const fineOf = (coin: Coin): bigint => 10n ** BigInt(18 - modelScale[coin]);

const digitsOf = { EUR: 2, JPY: 0, KWD: 3 } as const;
const coinsOf = ({ assets }: Life): Coin[] => assets.map(coinOf);

/** A rail that notes for which payments it was asked for addresses. It has none, so that nothing waits for it. */
function notingRail(opened: string[]) {
  const open = async (_: unknown, payments: readonly { id: string }[]) =>
    void opened.push(...payments.map(({ id }) => id));
  const openFor = async (_: unknown, { id }: { id: string }, asset: string) => {
    opened.push(`${id} ${asset}`);
    return true;
  };
  return { ...noRail, open, openFor };
}

/** Opens the shop of a life, with its rates and its payment; an open one is not chosen for yet. */
export async function beginLife(
  db: Database,
  whole: Life,
): Promise<{ shop: Shop; payment: Payment; life: PricedLife; model: Model }> {
  const { asks, mode, terms } = whole;
  const { adjustment, ...seed } = terms;
  const opened: string[] = [];
  const setting = { mode, rail: notingRail(opened) };
  const shop = await openShop(db, { ...seed, approved: true, liveDeadlineSeconds: 600 }, setting);
  await db.query('UPDATE integrations SET price_adjustment = $2 WHERE id = $1', [
    shop.owner.integrationId,
    adjustment,
  ]);
  shop.caller.integration.priceAdjustment = adjustment;
  const [first = 'USDC', ...others] = coinsOf(whole);
  const life: PricedLife = {
    ...{ own: null, price: asks === 'amount' ? null : priceOf(whole), opened, terms, switches: 0 },
    offered: asks === 'open' ? [first, ...others].slice(0, whole.offered) : [first],
    rates: new Map(coinsOf(whole).map((coin, index) => [coin, rateAt(whole, index)])),
    shown: [],
    transfers: { USDC: new Map(), USDT: new Map(), CSK: new Map(), PI: new Map() },
  };
  const now = shop.clock.now();
  const model = newModel(Number.POSITIVE_INFINITY, 0, now.getTime());
  if (life.price === null) {
    const payment = await shop.create({ currency: first });
    const charge = chargeOf(first, 10n * 10n ** BigInt(modelScale[first]), terms, 10n ** 12n);
    payBy(life, model, { ...charge, coin: first, rate: 0n, at: now.getTime() });
    return { shop, payment, life, model };
  }
  const currency = life.price.currency as PriceCurrency;
  await write(shop, (tx) => setAccountingCurrency(tx, shop.owner.integrationId, currency, now));
  for (const coin of life.rates.keys()) await setRates(shop, life, coin);
  const asked = { amount: textAt(life.price.minor, life.price.digits), currency };
  const chosen = asks === 'open' ? { currency: undefined, currencies: life.offered } : { currency: first };
  const payment = await shop.create({ amount: undefined, price: asked, ...chosen });
  if (asks === 'quoted') {
    payBy(life, model, quoteNow(life, first, now.getTime()));
    model.deadline = now.getTime() + quoteMs(shop);
  } else model.noLate = true;
  return { shop, payment, life, model };
}

/** How long quotes hold. */
const quoteMs = ({ owner }: Shop): number => (owner.mode === 'test' ? 600_000 : 900_000);

const rateAt = ({ rates }: Life, index: number) => {
  const [rate = 0n, usd = 0n] = rates[index] ?? [];
  return { rate, usd };
};

function priceOf({ price: { units, minor, currency } }: Life): ModelPrice {
  const digits = digitsOf[currency];
  return { minor: BigInt(units) * 10n ** BigInt(digits) + BigInt(minor % 10 ** digits), digits, currency };
}

/** The rates of a coin become those of the life: as a merchant sets test rates, or an operator types live ones. */
async function setRates(shop: Shop, { rates, price }: PricedLife, coin: Coin): Promise<void> {
  const { rate, usd } = rates.get(coin) ?? { rate: 0n, usd: 0n };
  const now = shop.clock.now();
  for (const [code, units] of [
    [price?.currency, rate],
    ['USD', usd],
  ] as const) {
    const text = textAt(units, rateDecimals);
    const pair = { currency: coin, priceCurrency: code as PriceCurrency };
    await write(shop, async (tx) => {
      if (shop.owner.mode === 'test')
        await setTestRate(tx, shop.owner.integrationId, { ...pair, rate: text }, now);
      else await typeRate(tx, pair, { rate: text, days: 30 }, now);
    });
  }
}

/** A coin is worth something else from now on. */
export async function changeRate(shop: Shop, life: PricedLife, coin: Coin, rate: bigint): Promise<void> {
  const known = life.rates.get(coin);
  if (!known || life.price === null) return;
  life.rates.set(coin, { ...known, rate });
  await setRates(shop, life, coin);
}

function quoteNow(life: PricedLife, coin: Coin, at: number): ModelQuote {
  const rates = life.rates.get(coin);
  if (!rates || life.price === null) throw new Error(`No rate for ${coin}`);
  return quoteIn(coin, life.price, life.terms, { ...rates, at });
}

export const quoteOf = ({ shown }: PricedLife, coin: Coin | null): ModelQuote | undefined =>
  shown.find((each) => each.coin === coin);

/** The payment is paid by this quote from now on: what is due, and whether late money is taken, follow from it. */
function payBy(life: PricedLife, model: Model, quote: ModelQuote): void {
  const { coin, due, fee, tolerance } = quote;
  if (!quoteOf(life, coin)) life.shown.push(quote);
  life.own = coin;
  const isSteady = coin === 'USDC' || coin === 'USDT';
  const sums = { due: Number(due), fee: Number(fee), tolerance: Number(tolerance) };
  Object.assign(model, {
    ...sums,
    transfers: life.transfers[coin],
    noLate: life.price !== null && !isSteady,
  });
}

/** Whether this much of a quoted coin fixes it: a thousandth. */
const fixes = (life: PricedLife, coin: Coin | null, units: number): boolean =>
  BigInt(units) * 1000n >= (quoteOf(life, coin)?.due ?? BigInt(units) * 1001n);

/** Whether money has fixed the coin that is paid now. Money of which the chain knows nothing any more has as well. */
export const isFixed = (life: PricedLife): boolean =>
  life.own !== null &&
  [...life.transfers[life.own].values()].some(({ units }) => fixes(life, life.own, units));

/** The customer chooses an asset. Returns whether that was possible. */
export function choosePriced(
  shop: Shop,
  { life, model }: { life: PricedLife; model: Model },
  asset: AssetCode,
  now: number,
): boolean {
  const coin = coinOf(asset);
  if (!isOpen(model) || !life.offered.includes(coin)) return false;
  const wasQuoted = life.price !== null && life.own !== null;
  if (coin !== life.own) {
    if (isFixed(life)) return false;
    payBy(life, model, quoteOf(life, coin) ?? quoteNow(life, coin, now));
  }
  const lasts = wasQuoted ? model.deadline - now : life.price === null ? 600_000 : quoteMs(shop);
  modelChoice(model, now, lasts);
  modelTime(model, now);
  return true;
}

/**
 * A rail reports a transfer. The first one of at least a thousandth in a quoted coin fixes the coin, unless the payment was
 * completed before: it is paid in that one from then on.
 */
export function reportPriced(
  { life, model }: { life: PricedLife; model: Model },
  coin: Coin,
  seen: Omit<ModelReport, 'takenAt'>,
  now: number,
): void {
  modelTime(model, now);
  const quote = quoteOf(life, coin);
  const isFree = life.price !== null && !model.events.includes('completed') && !isFixed(life);
  if (quote && coin !== life.own && isFree && fixes(life, coin, seen.units)) {
    life.switches += 1;
    payBy(life, model, quote);
  }
  if (coin === life.own) modelTransfer(model, seen.key, seen.units, seen.state, now);
  else noteTransfer(life.transfers[coin], { ...seen, takenAt: now }, now);
  modelTime(model, now);
}

/** What a transfer sends, in the smallest units of its coin: a part of what is due there, rounded down, and more. */
export function unitsSent(life: PricedLife, coin: Coin, thousandths: number, extra: number): number {
  const due = quoteOf(life, coin)?.due ?? life.shown[0]?.due ?? 0n;
  return Number((due * BigInt(thousandths)) / 1000n) + extra;
}

/** An open payment has no address before the choice of its customer, and one that was made with a coin had it at once. */
export function expectAddresses({ id, mode }: Payment, { opened, shown, offered, price }: PricedLife): void {
  const isMadeWithOne = price === null || offered.length === 1;
  const own = (each: string) => coinOf(each.replace(`${id} `, '') as AssetCode);
  const found = mode === 'test' || isMadeWithOne ? opened : [...new Set(opened.map(own))].sort();
  const coins = isMadeWithOne ? [id] : shown.map(({ coin }) => coin).sort();
  expect(found).toEqual(mode === 'test' || shown.length === 0 ? [] : coins);
}
