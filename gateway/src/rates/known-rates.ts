import type { Logger } from 'pino';
import { after, type Clock } from '../kit/clock.ts';
import type { Database, Reader, Tx } from '../kit/db/db.ts';
import type { Hints } from '../kit/db/hints.ts';
import { untilAnswered } from '../kit/db/until-answered.ts';
import { type Assets, type Currency, currencies } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { usDollar } from '../money/price-currencies.ts';
import { type Rates, rateScale } from '../money/rates.ts';
import type { RatesConfig } from './config.ts';
import { factsOf, readRateBook } from './rate-book.ts';
import { coinSeconds, rateBy } from './rule.ts';
import { builtinUsd } from './sources/demo.ts';

/** Other processes are told by it that rates were written. */
export const ratesTopic = 'rates';

/** Currencies that promise to be worth a dollar: for the minimums they are, unless somebody says otherwise. */
const dollars: Readonly<Record<string, string>> = { USDC: '1', USDT: '1' };

/** The USD rates for live mode's minimums, in the memory of this process. */
export type KnownRates = {
  rates: Rates;
  refresh(): Promise<void>;
  stop(): void;
};

export type KnownRatesDeps = {
  db: Database;
  hints: Hints;
  config: RatesConfig;
  /** The currencies of the configured networks: it is logged where one of them has no rate. */
  offered: readonly Currency[];
  log: Logger;
  now: Clock;
};

/**
 * Reads the last known USD rates, and follows them. They stay whatever their age, also after a restart while no source
 * answers: no payment fails for want of a rate that was once known. A currency that never had a rate has none
 * (contract.md#fees). A table of the configuration is used as it is.
 */
export async function followKnownRates(deps: KnownRatesDeps): Promise<KnownRates> {
  const { db, hints, config, offered, log, now } = deps;
  let known = ratesOf(config, {});
  let isReported = false;

  async function read(): Promise<void> {
    known = await readMinimumRates(db, config, now());
  }
  const rates: Rates = (currency) => known(currency);
  // Fixed rates are known without a database; the loop reads what operators typed before the gateway is ready.
  if (config.kind === 'sources') await untilAnswered(log, 'read the known rates', read);
  const stop = hints.on(ratesTopic, () => void read().catch(() => {}));

  return {
    rates,
    async refresh() {
      await read();
      const missing = isReported ? [] : offered.filter((currency) => rates(currency) === null);
      isReported = true;
      if (missing.length === 0) return;
      log.warn(
        { currencies: missing },
        'live payments in these currencies are refused: RATES has no rate for them',
      );
    },
    stop,
  };
}

/** The USD rates for the minimums as the database and the configuration have them now. */
export async function readMinimumRates(reader: Reader, config: RatesConfig, now: Date): Promise<Rates> {
  return ratesOf(config, await readKept(reader, config, now));
}

function ratesOf(config: RatesConfig, kept: Readonly<Record<string, string>>): Rates {
  const known: Readonly<Record<string, string>> = { ...dollars, ...fixedRates(config), ...kept };
  return (currency) => known[currency] ?? null;
}

function fixedRates(config: RatesConfig): Readonly<Record<string, string>> {
  if (config.kind === 'sources') return {};
  return config.kind === 'demo' ? { ...builtinUsd, ...config.usd } : config.usd;
}

/** What sources gave last, unless the configuration has a table; and what operators typed, as long as it holds. */
async function readKept(reader: Reader, config: RatesConfig, now: Date): Promise<Record<string, string>> {
  const { rows } = await reader.query<{ currency: string; usd: string }>(
    `SELECT currency, usd FROM known_rates WHERE $1
     UNION ALL SELECT currency, rate FROM typed_rates
     WHERE price_currency = 'USD' AND typed_at <= $2 AND ends_at > $2`,
    [config.kind === 'sources', now],
  );
  return Object.fromEntries(rows.map(({ currency, usd }) => [currency, usd]));
}

/**
 * Keeps the last known rate of each coin in USD: the one that the rule gives; where it gives none, that of the first
 * source with a fresh answer, since a minimum needs no agreement.
 */
export async function keepKnownRates(tx: Tx, now: Date): Promise<void> {
  const book = await readRateBook(tx);
  const oldest = after(now, -coinSeconds);
  for (const currency of currencies) {
    const facts = factsOf(book, currency, usDollar);
    const first = book.sources
      .map(({ name }) => facts.direct.said.find(({ source, at }) => source === name && at >= oldest))
      .find((said) => said !== undefined);
    const known = rateBy(facts, now).found ?? first;
    if (known === undefined) continue;
    await tx.query(
      `INSERT INTO known_rates (currency, usd, at) VALUES ($1, $2, $3)
       ON CONFLICT (currency) DO UPDATE SET usd = excluded.usd, at = excluded.at`,
      [currency, decimalOf(known.units, rateScale), known.at],
    );
  }
}

/** USD for one of an asset, as a decimal; null: not known. */
export const usdOfAssets =
  (rates: Rates, assets: Assets) =>
  (asset: string): string | null =>
    rates(assets.get(asset).currency);
