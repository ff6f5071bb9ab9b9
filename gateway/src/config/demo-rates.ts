import type { Config } from './config.ts';

/** Coins of demo networks are worth nothing. Each counts one dollar, unless RATES sets another rate or names sources. */
export function withDemoRates(config: Config): Config {
  const { rates } = config;
  if (rates.kind === 'sources') return config;
  return { ...config, rates: { kind: 'demo', usd: rates.usd } };
}
