import type { Logger } from 'pino';
import type { RatesConfig } from '../config/config.ts';
import type { Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import { untilAnswered } from '../kit/db/until-answered.ts';
import { request } from '../kit/net/undici.ts';
import { type Assets, type Currency, currencies, isCurrency } from '../money/assets.ts';
import { isRate, type Rates } from '../money/rates.ts';
import { keepRates, readKnownRates } from './known-rates.ts';

/** A source of rates: its origin, when it was last asked, and why it did not answer. */
type RateSource = { origin: string; fault: string | null; askedAt: Date | null };

type RatesState = {
  /** `configuration`: fixed rates; `sources`: the first that answers. */
  kind: 'configuration' | 'sources';
  /** Live payments in a currency without a rate are refused. */
  rates: { currency: Currency; usd: string | null }[];
  /** The origin whose rates are in use, and since when. */
  source: string | null;
  refreshedAt: Date | null;
  sources: RateSource[];
};

export type RateTable = {
  rates: Rates;
  refresh(): Promise<void>;
  /** The rates that this process uses, for operators. */
  state(): RatesState;
};

export type RatesDeps = {
  db: Database;
  config: RatesConfig;
  /** The currencies of the configured networks: it is logged where one of them has no rate. */
  offered: readonly Currency[];
  log: Logger;
  now: Clock;
};

const timeoutMs = 5_000;

/** Currencies that promise to be worth a dollar. */
const dollars: Readonly<Record<string, string>> = { USDC: '1', USDT: '1' };

/**
 * USD rates for live mode's minimums. With sources, the first that answers is used; when none does, the last known rates
 * stay in use, also after a restart, and their age is logged: no payment fails for want of a rate that was once known. A
 * currency that never had a rate has none (contract.md#fees).
 */
export async function openRates({ db, config, offered, log, now }: RatesDeps): Promise<RateTable> {
  const urls = config.kind === 'sources' ? config.urls : [];
  const kept =
    config.kind === 'sources'
      ? await untilAnswered(log, 'read the known rates', () => readKnownRates(db))
      : [];
  const known: Record<string, string> = {
    ...dollars,
    ...(config.kind === 'table'
      ? config.usd
      : Object.fromEntries(kept.map(({ currency, usd }) => [currency, usd]))),
  };
  let knownAt = kept.reduce<Date | null>((last, { at }) => (last && last > at ? last : at), null);
  const sources = urls.map((url): RateSource & { url: string } => ({
    url,
    origin: new URL(url).origin,
    fault: null,
    askedAt: null,
  }));
  let used: { origin: string; at: Date } | undefined;

  async function askSources(): Promise<void> {
    for (const source of sources) {
      source.askedAt = now();
      const found = await fetchRates(source.url).catch((error: Error) => error);
      if (!(found instanceof Error)) {
        source.fault = null;
        Object.assign(known, found);
        knownAt = now();
        used = { origin: source.origin, at: knownAt };
        return await keepRates(db, found, knownAt);
      }
      source.fault = found.message;
      log.warn({ url: source.origin, reason: source.fault }, 'a rate source failed');
    }
    const ageSeconds = knownAt ? Math.round((now().getTime() - knownAt.getTime()) / 1000) : null;
    log.error({ ageSeconds }, 'every rate source failed: the last known rates stay in use');
  }

  const rateOf: Rates = (currency) => known[currency] ?? null;
  let isReported = false;
  function reportMissing(): void {
    const missing = isReported ? [] : offered.filter((currency) => rateOf(currency) === null);
    isReported = true;
    if (missing.length > 0) {
      log.warn(
        { currencies: missing },
        'live payments in these currencies are refused: RATES has no rate for them',
      );
    }
  }

  return {
    rates: rateOf,
    async refresh() {
      if (config.kind === 'sources') await askSources();
      reportMissing();
    },
    state: () => ({
      kind: config.kind === 'table' ? 'configuration' : 'sources',
      rates: currencies.map((currency) => ({ currency, usd: rateOf(currency) })),
      source: used?.origin ?? null,
      refreshedAt: used?.at ?? null,
      sources: sources.map(({ origin, fault, askedAt }) => ({ origin, fault, askedAt })),
    }),
  };
}

/** USD for one of an asset, as a decimal; null: not known. */
export const usdOfAssets =
  ({ rates }: Pick<RateTable, 'rates'>, assets: Assets) =>
  (asset: string): string | null =>
    rates(assets.get(asset).currency);

async function fetchRates(url: string): Promise<Record<string, string>> {
  const response = await request(url, { signal: AbortSignal.timeout(timeoutMs) });
  const body: unknown = await response.body.json();
  if (response.statusCode !== 200 || typeof body !== 'object' || body === null) {
    throw new Error(`answered ${response.statusCode}`);
  }
  const rates = Object.entries(body)
    .map(([currency, rate]) => [currency, String(rate)] as const)
    .filter(([currency, rate]) => isCurrency(currency) && isRate(rate));
  if (rates.length === 0) throw new Error('answered without a rate');
  return Object.fromEntries(rates);
}
