import type { Reader } from '../../kit/db/db.ts';
import type { Currency } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { PriceCurrency } from '../../money/price-currencies.ts';
import { rateScale } from '../../money/rates.ts';

/** The rate at which a payment was paid, and when it was quoted. */
export type QuotedPaymentRate = { currency: Currency; priceCurrency: PriceCurrency; rate: string; at: Date };

/** The rates by which these payments are paid; those without a price, or still open, are left out. */
export async function quotedRatesOf(
  reader: Reader,
  paymentIds: readonly string[],
): Promise<Map<string, QuotedPaymentRate>> {
  if (paymentIds.length === 0) return new Map();
  type Row = { id: string; currency: Currency; price_currency: PriceCurrency; rate: bigint; at: Date };
  const { rows } = await reader.query<Row>(
    `SELECT p.id, p.currency, p.price_currency, p.rate, coalesce(q.at, p.created_at) AS at
     FROM payments p LEFT JOIN payment_quotes q ON q.payment_id = p.id AND q.currency = p.currency
     WHERE p.id = ANY($1) AND p.rate IS NOT NULL`,
    [paymentIds],
  );
  return new Map(
    rows.map(({ id, currency, price_currency: priceCurrency, rate, at }) => [
      id,
      { currency, priceCurrency, rate: decimalOf(rate, rateScale), at },
    ]),
  );
}
