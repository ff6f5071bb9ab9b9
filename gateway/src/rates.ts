import type { Logger } from 'pino';
import { request } from 'undici';
import type { RatesConfig } from './config.ts';
import { type Currency, isCurrency } from './kit/assets.ts';
import { isRate, type Rates } from './payments/amount.ts';

export type RateTable = { rates: Rates; refresh(): Promise<void> };

const timeoutMs = 5_000;

/**
 * USD rates for live mode's minimums. With sources, the first that answers counts; when none does, the last
 * known rates stay in use and their age is logged. A currency without any rate counts one dollar: a payment
 * never fails for want of a rate (contract.md 6).
 */
export function createRates(config: RatesConfig, log: Logger): RateTable {
  const known: Record<string, string> = config.kind === 'table' ? { ...config.usd } : {};
  let refreshedAt: number | undefined;

  async function refresh(): Promise<void> {
    if (config.kind === 'table') return;
    for (const url of config.urls) {
      try {
        Object.assign(known, await fetchRates(url));
        refreshedAt = performance.now();
        return;
      } catch (error) {
        log.warn({ url: new URL(url).origin, reason: (error as Error).message }, 'a rate source failed');
      }
    }
    const ageSeconds =
      refreshedAt === undefined ? null : Math.round((performance.now() - refreshedAt) / 1000);
    log.error({ ageSeconds }, 'every rate source failed: the last known rates stay in use');
  }

  return { rates: (currency) => rateOf(known, currency), refresh };
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
