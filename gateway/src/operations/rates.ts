import type { Logger } from 'pino';
import { request } from 'undici';
import type { RatesConfig } from '../config/config.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { type Currency, currencies, isCurrency } from '../money/assets.ts';
import { isRate, type Rates } from '../payments/amount.ts';

/** A source of rates as it was last asked: its origin, and why it did not answer. */
export type RateSource = { origin: string; fault: string | null; askedAt: Date | null };

export type RatesState = {
  /** `configuration`: fixed rates; `sources`: the first that answers. */
  kind: 'configuration' | 'sources';
  rates: { currency: Currency; usd: string; isKnown: boolean }[];
  /** The origin whose rates are in use, and since when. */
  source: string | null;
  refreshedAt: Date | null;
  sources: RateSource[];
};

export type RateTable = {
  rates: Rates;
  /** The same where it is known, else null; a dollar stablecoin is one dollar. */
  usdOf(currency: Currency): string | null;
  refresh(): Promise<void>;
  /** What this process uses, for operators. */
  state(): RatesState;
};

const timeoutMs = 5_000;

/**
 * USD rates for live mode's minimums. With sources, the first that answers is used; when none does, the last known
 * rates stay in use and their age is logged. A currency without a rate is one dollar, so that no payment fails because
 * a rate is missing (contract.md 6).
 */
export function createRates(config: RatesConfig, log: Logger, now: Clock = systemClock): RateTable {
  const known: Record<string, string> = config.kind === 'table' ? { ...config.usd } : {};
  const urls = config.kind === 'sources' ? config.urls : [];
  const sources = urls.map((url): RateSource & { url: string } => ({
    url,
    origin: new URL(url).origin,
    fault: null,
    askedAt: null,
  }));
  let used: { origin: string; at: Date } | undefined;

  async function refresh(): Promise<void> {
    if (config.kind === 'table') return;
    for (const source of sources) {
      source.askedAt = now();
      try {
        Object.assign(known, await fetchRates(source.url));
        source.fault = null;
        used = { origin: source.origin, at: now() };
        return;
      } catch (error) {
        source.fault = (error as Error).message;
        log.warn({ url: source.origin, reason: source.fault }, 'a rate source failed');
      }
    }
    const ageSeconds = used ? Math.round((now().getTime() - used.at.getTime()) / 1000) : null;
    log.error({ ageSeconds }, 'every rate source failed: the last known rates stay in use');
  }

  return {
    rates: (currency) => rateOf(known, currency),
    usdOf: (currency) => known[currency] ?? (currency === 'USDC' || currency === 'USDT' ? '1' : null),
    refresh,
    state: () => ({
      kind: config.kind === 'table' ? 'configuration' : 'sources',
      rates: currencies.map((currency) => ({
        currency,
        usd: rateOf(known, currency),
        isKnown: known[currency] !== undefined,
      })),
      source: used?.origin ?? null,
      refreshedAt: used?.at ?? null,
      sources: sources.map(({ origin, fault, askedAt }) => ({ origin, fault, askedAt })),
    }),
  };
}

function rateOf(known: Record<string, string>, currency: Currency): string {
  return known[currency] ?? '1';
}

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
