import type { Reader } from '../../kit/db/db.ts';
import { fineScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { minorDigits, type PriceCurrency } from '../../money/price-currencies.ts';
import { unitsOfRate, worthAt } from '../../money/rate-units.ts';
import { readRates } from '../../rates/read-rates.ts';
import type { Payment } from '../payment/payment.ts';

/**
 * The rate of now between a payment's price and what pays it: units of the price's currency for one unit, as a decimal.
 * Null: there is no price, no quote yet, or no rate now.
 */
export async function rateToday(
  reader: Reader,
  { price, currency, integrationId, mode }: Payment,
  now: Date,
): Promise<string | null> {
  if (price === null || currency === null) return null;
  const wanted = { integrationId, mode, currency, priceCurrency: price.currency };
  const [rate] = await readRates(reader, [wanted], now);
  return rate?.rate ?? null;
}

/** What `units` at `fineScale` are worth at a rate: a decimal in the price's currency, half up at its minor digits. */
export function worthOf(units: bigint, rate: string, currency: PriceCurrency): string {
  const [digits, rateUnits] = [minorDigits(currency), unitsOfRate(rate)];
  if (rateUnits === null) throw new Error(`${rate} is no rate`);
  return decimalOf(worthAt(units, fineScale, rateUnits, digits), digits);
}
