import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../kit/clock.ts';
import type { Reader } from '../kit/db/db.ts';
import { onceAScrape } from '../kit/db/gauge.ts';
import type { Currency } from '../money/assets.ts';
import { needsCare, type PairState, pairStates } from './overview.ts';
import { readRateBook, type SourceState } from './rate-book.ts';

type Watched = { db: Reader; offered: readonly Currency[]; now: Clock };

/** How many pairs of the offered currencies have no rate, or hold a stable coin that is away from 1 USD. */
export async function countRatesToCare({ db, offered }: Omit<Watched, 'now'>, now: Date): Promise<number> {
  return pairStates(await readRateBook(db), now).filter(needsCare(offered)).length;
}

type Seen = { pairs: PairState[]; sources: SourceState[]; now: Date };

/** The rates of live mode, for Prometheus. */
export function createRateMetrics(registry: Registry, { db, offered, now }: Watched): void {
  const read = onceAScrape<Seen>(() =>
    readRateBook(db)
      .then((book) => ({ pairs: pairStates(book, now()), sources: book.sources, now: now() }))
      // Without the database they are left out, and the other metrics are still reported.
      .catch(() => ({ pairs: [], sources: [], now: now() })),
  );
  const gauge = (name: string, help: string, valuesOf: (seen: Seen) => [Record<string, string>, number][]) =>
    new Gauge({
      ...{ name, help, aggregator: 'max', registers: [registry] },
      labelNames: name.includes('source') ? ['source'] : ['currency', 'price_currency'],
      async collect() {
        const values = valuesOf(await read());
        this.reset();
        for (const [labels, value] of values) this.set(labels, value);
      },
    });

  gauge('florin_rate_age_seconds', 'Seconds since the newest answer about a pair.', (seen) =>
    seen.pairs.flatMap((pair) => {
      const ages = pair.sources.flatMap(({ at }) => (at ? [(+seen.now - +at) / 1000] : []));
      return ages.length > 0 ? [[labelsOf(pair), Math.min(...ages)]] : [];
    }),
  );
  gauge('florin_rate_missing', '1 for a pair of an offered currency that has no rate, else 0.', ({ pairs }) =>
    pairs
      .filter(({ currency }) => offered.includes(currency))
      .map((pair) => [labelsOf(pair), pair.rate === null ? 1 : 0]),
  );
  gauge(
    'florin_rate_away',
    '1 for a stable coin that is more than 2 % away from 1 USD, else 0.',
    ({ pairs }) =>
      pairs
        .filter(({ priceCurrency, rate }) => priceCurrency === 'USD' && rate !== null)
        .map((pair) => [labelsOf(pair), pair.isAway ? 1 : 0]),
  );
  gauge(
    'florin_rate_source_failing',
    '1 for a source of rates that gave nothing when last asked, else 0.',
    (seen) => seen.sources.map(({ name, fault }) => [{ source: name }, fault === null ? 0 : 1]),
  );
}

const labelsOf = ({ currency, priceCurrency }: PairState): Record<string, string> => ({
  currency,
  price_currency: priceCurrency,
});
