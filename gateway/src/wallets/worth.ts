import type { IntegrationId, Mode } from '../identity/integration.ts';
import type { Reader } from '../kit/db/db.ts';
import { type Currency, fineScale } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { minorDigits, type PriceCurrency } from '../money/price-currencies.ts';
import { worthAt } from '../money/rate-units.ts';
import { rateScale } from '../money/rates.ts';
import { readRates } from '../rates/read-rates.ts';
import { testRate } from '../rates/test-rates.ts';

/** An amount of a coin at `fineScale`. */
type CoinAmount = { currency: Currency; units: bigint };

/** Units of a price currency for one coin, at `rateScale`, and from when that is; null: a fixed rate of test mode. */
type CoinRate = { units: bigint; rate: string; at: Date | null };

/** What coins are worth now in the currency that their user chose. Nothing is booked in it (contract.md#wallets). */
export type Worth = {
  currency: PriceCurrency;
  /** Null: there is no rate now. */
  rateOf(coin: Currency): CoinRate | null;
};

/** Reads the rates of coins; in test mode they are the built-in ones, as those of integrations are for their payments. */
export async function readWorth(
  reader: Reader,
  { currency: priceCurrency, mode }: { currency: PriceCurrency; mode: Mode },
  coins: readonly Pick<CoinAmount, 'currency'>[],
  now: Date,
): Promise<Worth> {
  const rates = new Map<Currency, CoinRate | null>();
  if (mode === 'test') {
    for (const { currency } of coins) {
      const units = testRate(currency, priceCurrency);
      rates.set(currency, { units, rate: decimalOf(units, rateScale), at: null });
    }
  } else {
    const owner = { integrationId: '' as IntegrationId, mode };
    const wanted = coins.map(({ currency }) => ({ ...owner, currency, priceCurrency }));
    const found = await readRates(reader, wanted, now);
    for (const [index, { currency }] of coins.entries()) rates.set(currency, found[index] ?? null);
  }
  return { currency: priceCurrency, rateOf: (coin) => rates.get(coin) ?? null };
}

/** What a coin is worth in minor units of the price currency, half up; null: there is no rate now. */
export function worthOf({ currency, rateOf }: Worth, coin: CoinAmount): bigint | null {
  const rate = rateOf(coin.currency);
  return rate && worthAt(coin.units, fineScale, rate.units, minorDigits(currency));
}

/** The sum of what coins are worth, of the rounded values; null: a coin has no rate now. */
export function worthOfAll(worth: Worth, coins: readonly CoinAmount[]): bigint | null {
  const values = coins.map((coin) => worthOf(worth, coin));
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? null : known.reduce((sum, value) => sum + value, 0n);
}
