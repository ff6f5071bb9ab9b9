import type { Config } from './config.ts';

/** Demo networks have coins that are worth nothing: in their minimums each counts one dollar, unless RATES says otherwise. */
export function withDemoRates(config: Config): Config {
  const { rates } = config;
  if (rates.kind === 'sources') return config;
  return { ...config, rates: { ...rates, usd: { PI: '1', CSK: '1', ...rates.usd } } };
}
