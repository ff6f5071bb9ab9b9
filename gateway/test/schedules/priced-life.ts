import { expect } from 'vitest';
import type { Payment } from '../../src/payments/payment/payment.ts';
import type { Quote } from '../../src/payments/prices/quote.ts';
import { quotesOf } from '../../src/payments/prices/quotes.ts';
import { linkPayment } from '../../src/payments/settlement/act.ts';
import { paymentById, type Shop, write } from '../support/payment-fixtures.ts';
import type { AssetCode, Transfer } from './payment-lives.ts';
import { type Model, modelTime } from './payment-model.ts';

// What a payment asks in a random life: an amount, a price that was quoted at once, or one with quotes in two currencies, of
// which the first money fixes one.

type Own = 'USDC' | 'PI';

export type PricedLife = {
  /** The currency that is paid now, and whether money has fixed it. */
  own: Own;
  isFixed: boolean;
  isPriced: boolean;
  /** It was quoted when it was made: a choice starts nothing anew. */
  isQuoted: boolean;
  /** What is due and the fee in each currency, as its customer was shown them. */
  due: Record<Own, { due: number; fee: number; tolerance: number }>;
  shown: Quote[];
};

export const currencyOf = (asset: AssetCode): Own => (asset === 'pi' ? 'PI' : 'USDC');

/** Units at the finest scale for the smallest unit of a currency. */
export const fineOf = { USDC: 10n ** 12n, PI: 10n ** 11n } as const;

const assetOf = { USDC: 'usdc-erc20', PI: 'pi' } as const;

/** Rates at which 8 EUR are 10 USDC or 4 PI; afterwards nobody would get these any more. */
async function setRates(shop: Shop, [usdc, pi]: [string, string]): Promise<void> {
  for (const [currency, rate] of [
    ['USDC', usdc],
    ['PI', pi],
  ]) {
    await shop.db.query(
      `INSERT INTO test_rates VALUES ($1, $2, 'EUR', $3)
       ON CONFLICT (integration_id, currency, price_currency) DO UPDATE SET rate = excluded.rate`,
      [shop.owner.integrationId, currency, rate],
    );
    await shop.db.query(
      `INSERT INTO typed_rates VALUES ($1, 'EUR', $2, $3, $3::timestamptz + interval '20 days')
       ON CONFLICT (currency, price_currency) DO UPDATE SET rate = excluded.rate`,
      [currency, rate, shop.clock.now()],
    );
  }
}

/** Makes the payment of a life, with what its customer chose at once. */
export async function beginLife(
  shop: Shop,
  asks: 'amount' | 'quoted' | 'open',
): Promise<{ payment: Payment; life: PricedLife }> {
  if (asks === 'amount') {
    const payment = await shop.create();
    const usdc = {
      ...{ due: Number(payment.amountDue), fee: Number(payment.fee) },
      tolerance: Number(payment.tolerance),
    };
    const due = { USDC: usdc, PI: usdc };
    return {
      payment,
      life: { own: 'USDC', isFixed: true, isPriced: false, isQuoted: false, due, shown: [] },
    };
  }
  await setRates(shop, ['0.8', '2']);
  shop.caller.integration.quoteSeconds = 600;
  const price = { amount: 8, currency: 'EUR' };
  const currency = asks === 'quoted' ? 'USDC' : undefined;
  const { id } = await shop.create({ amount: undefined, price, currency });
  const choices = asks === 'open' ? (['usdc-erc20', 'pi'] as const) : [];
  for (const asset of choices) await write(shop, (tx) => linkPayment(tx, shop.deps, id, asset));
  await setRates(shop, ['5', '0.01']);
  const payment = await paymentById(shop.db, id);
  const shown = (await quotesOf(shop.db, [payment])).map(({ quote }) => quote);
  const dueIn = (own: Own) => {
    const quote = shown.find((each) => each.currency === own) ?? shown[0]!;
    const tolerance = Number(quote.tolerance);
    return { due: Number(quote.amountDue), fee: Number(quote.fee), tolerance };
  };
  return {
    payment,
    life: {
      own: asks === 'open' ? 'PI' : 'USDC',
      isFixed: asks === 'quoted',
      isPriced: true,
      isQuoted: asks === 'quoted',
      due: { USDC: dueIn('USDC'), PI: dueIn('PI') },
      shown,
    },
  };
}

/** The asset that its customer chooses next: the other currency, until the payment has ended or money has fixed one. */
export function nextChoice(life: PricedLife, isOpen: boolean): AssetCode {
  if (!life.isFixed && isOpen) life.own = life.own === 'PI' ? 'USDC' : 'PI';
  return assetOf[life.own];
}

/** What a transfer sends, in the smallest units that its currency has here. */
export function unitsSent({ due }: PricedLife, { thousandths, asset }: Transfer): number {
  return (due[currencyOf(asset)].due * thousandths) / 1000;
}

/** The first transfer fixes the currency: what is due, the fee, and whether late money is taken follow from it. */
export function fixBy(life: PricedLife, model: Model, asset: AssetCode, now: number): void {
  modelTime(model, now);
  if (!life.isFixed) {
    life.own = currencyOf(asset);
    life.isFixed = true;
  }
  const { due, fee, tolerance } = life.due[life.own];
  Object.assign(model, { due, fee, tolerance, noLate: life.isPriced && life.own === 'PI' });
}

/** A priced payment is paid by a quote that was shown, whatever rates became of it. */
export async function expectShownRate(
  { db }: Shop,
  { isPriced, own, shown }: PricedLife,
  payment: Omit<Payment, 'status' | 'reason' | 'eventSequence' | 'shortUnits'> & { id: string },
): Promise<void> {
  if (!isPriced) return;
  const { currency, amount, fee, amountDue, rate } = payment;
  const quote = shown.find((each) => each.currency === own);
  expect({ currency, amount, fee, amountDue, rate }).toEqual({
    currency: quote?.currency,
    amount: quote?.amount,
    fee: quote?.fee,
    amountDue: quote?.amountDue,
    rate: quote?.rate,
  });
  const stored = await quotesOf(db, [await paymentById(db, payment.id)]);
  expect(stored.map((each) => each.quote)).toEqual(shown);
}
