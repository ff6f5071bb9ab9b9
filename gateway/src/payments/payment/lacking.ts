import type { Reader } from '../../kit/db/db.ts';
import { currencies, currencyScale, fineScale } from '../../money/assets.ts';
import type { PriceCurrency } from '../../money/price-currencies.ts';

const units = currencies
  .map((currency) => `WHEN '${currency}' THEN ${10n ** BigInt(fineScale - currencyScale[currency])}`)
  .join(' ');

/** What a sum adds up: what is paid, in units of its currency, or what was asked in prices, in minor units. */
type Summed = 'amount' | 'price_amount';

const shortPart = (s: string, of: Summed): string =>
  `div(${s}.${of} * ${s}.short_units, ${s}.amount_due * CASE ${s}.currency ${units} END)`;

/** SQL: what came of the amount or the price of a completed payment: a part, rounded down, where it was completed short. */
export const cameSql = (payment: string, of: Summed): string =>
  `CASE WHEN ${payment}.short_units IS NULL THEN ${payment}.${of} ELSE ${shortPart(payment, of)} END`;

/** SQL: what did not come of the amount or the price of a payment `s` that was completed short. */
const lackingOf = (of: Summed): string => `s.${of} - ${shortPart('s', of)}`;

/**
 * SQL: what of the amounts (or of the prices) of completed payments did not come since they were completed short; `which` says
 * of which payments `s`. Sums take it off: few payments have it, and they have an index.
 */
export const lackingSql = (which: string, of: Summed = 'amount'): string =>
  `coalesce((SELECT sum(${lackingOf(of)})
    FROM payments s WHERE s.short_units IS NOT NULL AND s.status = 'completed' AND ${which}), 0)`;

/**
 * What did not come of the prices of payments that were completed short, in minor units by the currency of the price; one that is
 * named twice counts twice.
 */
export async function lackingPrices(
  reader: Reader,
  ids: readonly string[],
): Promise<{ currency: PriceCurrency; units: bigint }[]> {
  if (ids.length === 0) return [];
  const { rows } = await reader.query<{ currency: PriceCurrency; units: bigint }>(
    `SELECT s.price_currency AS currency, sum(${lackingOf('price_amount')}) AS units FROM unnest($1::uuid[]) AS wanted (id)
     JOIN payments s USING (id) WHERE s.short_units IS NOT NULL AND s.price_amount IS NOT NULL GROUP BY 1`,
    [ids],
  );
  return rows;
}
