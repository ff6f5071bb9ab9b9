import type { Config } from './config.ts';

/** Coins of demo networks are worth nothing. For minimums each counts one dollar, unless RATES sets another rate. */
export function withDemoRates(config: Config): Config {
  const { rates } = config;
  if (rates.kind === 'sources') return config;
  return { ...config, rates: { ...rates, usd: { PI: '1', CSK: '1', ...rates.usd } } };
}
