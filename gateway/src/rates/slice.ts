import type { Logger } from 'pino';
import type { Console } from '../identity/console/console.ts';
import type { Guards } from '../identity/keys/guards.ts';
import type { Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import type { Hints } from '../kit/db/hints.ts';
import type { Slice } from '../kit/slice.ts';
import type { Currency } from '../money/assets.ts';
import { askEveryMs, createAsker } from './ask.ts';
import type { RatesConfig } from './config.ts';
import { rateConsoleRoutes } from './console-routes.ts';
import { rateErrors } from './errors.ts';
import { noteLiveRates } from './history.ts';
import type { KnownRates } from './known-rates.ts';
import { createRateMetrics } from './metrics.ts';
import { rateRoutes } from './routes.ts';
import { demo } from './sources/demo.ts';
import { openSources } from './sources/known.ts';
import type { RateSource } from './sources/source.ts';

export type RatesDeps = {
  db: Database;
  hints: Hints;
  guards: Guards;
  config: RatesConfig;
  offered: readonly Currency[];
  /** Followed until the slice is closed. */
  known: KnownRates;
  log: Logger;
  now: Clock;
};

/** What coins are worth: sources, rates that operators type, and those of test mode. */
export function createRates(deps: RatesDeps): Slice<Console> {
  const { config, known } = deps;
  const sources = sourcesOf(config);
  warnOfOne(sources, deps.log);
  const asker = createAsker({ ...deps, sources });
  return {
    errors: rateErrors,
    routes: {
      api: (api) => rateRoutes(api, deps),
      dashboard: (dashboard) => rateConsoleRoutes(dashboard, { ...deps, minimums: known.rates }),
    },
    loops: [
      { name: 'rates', everyMs: 60_000, work: () => known.refresh(), isOwn: true },
      { name: 'rate sources', everyMs: askEveryMs, work: () => asker.run() },
      { name: 'rate history', everyMs: askEveryMs, work: () => noteLiveRates(deps.db, deps.now()) },
    ],
    metrics: (registry) => createRateMetrics(registry, deps),
    async close() {
      known.stop();
      await asker.leave().catch(() => {});
    },
  };
}

function sourcesOf(config: RatesConfig): RateSource[] {
  if (config.kind === 'sources') return openSources(config.sources);
  return config.kind === 'demo' ? [demo(config.usd)] : [];
}

/** A rate that follows from one source is only as right as that source. Those of the demo cannot be wrong. */
function warnOfOne(sources: readonly RateSource[], log: Logger): void {
  const ofCoins = sources.filter(({ name, quotesCoins }) => quotesCoins && name !== 'demo');
  if (ofCoins.length !== 1) return;
  log.warn(
    { source: ofCoins[0]?.name },
    'RATES names one source of coins: its rates are used without a second one that agrees',
  );
}
