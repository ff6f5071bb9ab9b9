import { expect } from 'vitest';
import type { Database } from '../../src/kit/db/db.ts';
import { balancesOf } from '../../src/ledger/ledger.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import { quotesOf } from '../../src/payments/prices/quotes.ts';
import { valuesOf } from '../../src/wallets/books/values.ts';
import type { SentEvent, Shop } from '../support/payment-fixtures.ts';
import { type AssetCode, assetCodes, coinOf, unitOf } from './payment-lives.ts';
import type { Model } from './payment-model.ts';
import { type Coin, modelScale, rateDecimals, textAt, worthIn } from './price-model.ts';
import { fineOf, type PricedLife, quoteOf } from './priced-life.ts';

// What holds in every random life of a payment, beside its status: amounts, events and values are those of what its customer
// was shown.

/** What is charged is one of the quotes that were shown, as the model made them, whatever rates became of them. */
export async function expectShown({ db }: Shop, payment: Payment, life: PricedLife): Promise<void> {
  const quote = quoteOf(life, life.own);
  const { currency, amount, fee, amountDue, tolerance, rate } = payment;
  const expected = quote
    ? { currency: quote.coin, amount: quote.amount, fee: quote.fee, amountDue: quote.due }
    : { currency: null, amount: null, fee: null, amountDue: null };
  expect({ currency, amount, fee, amountDue }).toEqual(expected);
  if (quote) expect(tolerance).toBe(quote.tolerance);
  expect(life.switches).toBeLessThanOrEqual(1);
  if (life.price === null) {
    expect(rate).toBeNull();
    return;
  }
  expect(rate).toBe(quote?.rate ?? null);
  const stored = await quotesOf(db, [payment]);
  const found = stored.map(({ quote: { currency: coin, amountDue: due, at, sources, ...each } }) => {
    expect(sources.map((source) => source.rate)).toEqual([textAt(each.rate, rateDecimals)]);
    return { ...each, coin, due, at: at.getTime() };
  });
  expect(found).toEqual(life.shown);
}

/**
 * Each event of a priced payment says the price, and one of the quotes that were shown, or none before there is one; one of a
 * payment that was completed with less than is due says so from then on.
 */
export function expectEvents(events: readonly SentEvent[], life: PricedLife, shortPaid: number | null): void {
  const { price, own } = life;
  const completed = events.findIndex(({ type }) => type === 'payment_completed');
  for (const [index, { body }] of events.entries()) {
    const isShort = shortPaid !== null && index >= completed;
    expect(body.short).toBe(isShort ? true : undefined);
    if (isShort && own !== null) expect(body.paid_amount).toBe(textAt(BigInt(shortPaid), modelScale[own]));
  }
  if (price === null) return;
  for (const { body } of events) {
    const { amount, currency, service_fee, paid_asset, paid_amount, paid_fee, rate, short } = body;
    expect({ amount, currency }).toEqual({
      amount: Number(textAt(price.minor, price.digits)),
      currency: price.currency,
    });
    const quote = quoteOf(life, paid_asset === '' ? null : coinOf(paid_asset as AssetCode));
    if (!quote) {
      expect({ paid_asset, paid_amount, paid_fee, rate, service_fee }).toEqual({
        ...{ paid_asset: '', paid_amount: '', paid_fee: '', rate: '', service_fee: 0 },
      });
      continue;
    }
    const scale = modelScale[quote.coin];
    expect({ rate, paid_fee, service_fee }).toEqual({
      rate: textAt(quote.rate, rateDecimals),
      paid_fee: textAt(quote.fee, scale),
      service_fee: Number(textAt(worthIn(quote.coin, quote.fee, quote.rate, price.digits), price.digits)),
    });
    if (short === undefined) expect(paid_amount).toBe(textAt(quote.amount, scale));
  }
}

/** Units of each kind of account that a payment's transfers touched, by asset. */
async function bookedOf(db: Database, id: string): Promise<(asset: string, kind: string) => bigint> {
  const { rows } = await db.query<{ asset: string; kind: string; units: bigint }>(
    `SELECT a.asset, a.kind, sum(e.units) AS units
     FROM ledger_transfers t JOIN ledger_entries e ON e.transfer = t.id
     JOIN ledger_accounts a ON a.id = e.account
     WHERE t.cause_id = $1 GROUP BY a.asset, a.kind`,
    [id],
  );
  const found = new Map(rows.map(({ asset, kind, units }) => [`${asset} ${kind}`, units]));
  return (asset, kind) => found.get(`${asset} ${kind}`) ?? 0n;
}

/**
 * Every unit of what is final is booked once: to suspense until the payment is settled, then as its shares, and those are the
 * model's. `sums` are of what came in an asset and counts, and of what came and is owed back.
 */
export async function expectMoney(
  { db }: Shop,
  { id }: Payment,
  { settled, own }: { settled: Model['settled']; own: Coin | null },
  sumsOf: (asset: AssetCode) => { arrived: bigint; owed: bigint },
): Promise<void> {
  const booked = await bookedOf(db, id);
  let business = 0n;
  let fees = 0n;
  for (const asset of assetCodes) {
    const { arrived, owed } = sumsOf(asset);
    const share = booked(asset, 'business') + booked(asset, 'receivable');
    const kept = share + booked(asset, 'fees') + booked(asset, 'payable');
    expect(-booked(asset, 'external')).toBe(arrived + owed);
    expect(kept + booked(asset, 'suspense')).toBe(arrived + owed);
    // Until it is settled all is in suspense, and from then on nothing but what is of another coin.
    expect(kept - owed).toBe(settled && coinOf(asset) === own ? arrived : 0n);
    business += share / unitOf[asset];
    fees += booked(asset, 'fees') / unitOf[asset];
  }
  expect({ business, fees }).toEqual({
    business: BigInt(settled?.business ?? 0),
    fees: BigInt(settled?.fee ?? 0),
  });
}

/** While a business owes anything in an asset its balance in it is empty. */
export async function expectDebts({ db, owner: { integrationId: owner, mode } }: Shop): Promise<void> {
  const owed = await balancesOf(db, { kind: 'receivable', owner, mode });
  expect(owed.every(({ available }) => available <= 0n)).toBe(true);
  const had = await balancesOf(db, { kind: 'business', owner, mode });
  for (const { asset, available } of had) {
    const debt = owed.find((each) => each.asset === asset)?.available ?? 0n;
    expect(available >= 0n && (available === 0n || debt === 0n)).toBe(true);
  }
}

/** In the books what the payment brought is worth what its customer was quoted, at the rate of that quote, for good. */
export async function expectValues(shop: Shop, { id }: Payment, life: PricedLife): Promise<void> {
  const quote = quoteOf(life, life.own);
  const { price } = life;
  if (!quote || price === null) return;
  const { rows } = await shop.db.query<{ asset: string; units: bigint; created_at: Date; cause_id: string }>(
    `SELECT a.asset, e.units, t.created_at, t.cause_id
     FROM ledger_transfers t JOIN ledger_entries e ON e.transfer = t.id
     JOIN ledger_accounts a ON a.id = e.account
     WHERE t.cause_id = $1 AND a.kind = 'business' AND a.owner = $2`,
    [id, shop.owner.integrationId],
  );
  const own = rows.filter(({ asset }) => coinOf(asset as AssetCode) === quote.coin);
  const values = await valuesOf({ db: shop.db, assets: shop.assets }, shop.owner, own);
  expect(values).toEqual(
    own.map(({ asset, units }) => {
      const whole = (units < 0n ? -units : units) / unitOf[asset as AssetCode];
      const worth = worthIn(quote.coin, whole, quote.rate, price.digits);
      const net = `${units < 0n && worth > 0n ? '-' : ''}${textAt(worth, price.digits)}`;
      const netUnits = units < 0n ? -worth : worth;
      const rate = textAt(quote.rate, rateDecimals);
      return { currency: price.currency, rate, gross: net, fee: '0', net, netUnits };
    }),
  );
}

/** Whether a payment was completed with less than is due, and with no less than its tolerance allows. */
export function expectShort(
  { shortUnits }: Pick<Payment, 'shortUnits'>,
  shortPaid: number | null,
  life: PricedLife,
): void {
  const quote = quoteOf(life, life.own);
  expect(shortUnits).toBe(shortPaid === null || !quote ? null : BigInt(shortPaid) * fineOf(quote.coin));
  if (shortPaid === null || !quote) return;
  expect(quote.due - BigInt(shortPaid) <= quote.tolerance).toBe(true);
}
