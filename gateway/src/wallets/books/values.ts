import type { IntegrationId, Mode } from '../../identity/integration.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { minorDigits, type PriceCurrency, usDollar } from '../../money/price-currencies.ts';
import { worthAt } from '../../money/rate-units.ts';
import { rateUnits } from '../../money/rates.ts';
import { quotedRatesOf } from '../../payments/prices/quoted-rates.ts';
import { type PastRate, readPastRates } from '../../rates/history.ts';

/** What a line was worth in its moment: decimals with the minor digits of the accounting currency. */
export type RowValue = {
  currency: PriceCurrency;
  /** Units of the accounting currency for one of the asset's. */
  rate: string;
  gross: string;
  fee: string;
  net: string;
  /** The same in minor units. */
  netUnits: bigint;
};

/** In units of the asset; `fee`: what was kept or given back together with it. */
type Valued = {
  asset: string;
  created_at: Date;
  units: bigint;
  fee?: bigint;
  /** A payment, or something else. */
  cause_id?: string | null;
};

/**
 * The values of lines of a business, in their order; null: there was no rate. They follow from the rate of the line's moment,
 * or of the quote by which its payment was paid. Both are kept, so a value never changes (contract.md#prices). `net` and `fee` are rounded half up, away from zero; `gross`
 * is their sum.
 */
export async function valuesOf(
  { db, assets }: { db: Reader; assets: Assets },
  owner: { integrationId: IntegrationId; mode: Mode },
  rows: readonly Valued[],
): Promise<(RowValue | null)[]> {
  const quotes = await quotedRatesOf(
    db,
    rows.flatMap(({ cause_id }) => cause_id ?? []),
  );
  const lines = rows.map((row) => {
    const { currency, scale } = assets.get(row.asset);
    const quote = quotes.get(row.cause_id ?? '');
    return { row, currency, scale, quote: quote?.currency === currency ? quote : undefined };
  });
  const wanted = lines.map(({ row, currency, quote }) => ({ currency, at: quote?.at ?? row.created_at }));
  const rates = await readPastRates(db, owner, wanted);
  return lines.map(({ row, scale, quote }, index) => {
    const { priceCurrency, rate } = rates[index] ?? { priceCurrency: usDollar, rate: null };
    const known = quote?.priceCurrency === priceCurrency ? quote.rate : rate;
    return known === null ? null : valueAt({ priceCurrency, rate: known }, row, scale);
  });
}

/** The value of units at `scale`, and of the fee with them, at a rate. */
export function valueAt(
  { priceCurrency, rate }: PastRate,
  { units, fee = 0n }: Pick<Valued, 'units' | 'fee'>,
  scale: number,
): RowValue {
  const digits = minorDigits(priceCurrency);
  const each = rateUnits(rate) ?? 0n;
  const worth = (part: bigint): bigint => worthAt(part, scale, each, digits);
  const decimal = (part: bigint) => decimalOf(part, digits);
  const [ofNet, ofFee] = [worth(units), worth(fee)];
  return {
    ...{ currency: priceCurrency, rate },
    ...{ gross: decimal(ofNet + ofFee), fee: decimal(ofFee), net: decimal(ofNet), netUnits: ofNet },
  };
}
