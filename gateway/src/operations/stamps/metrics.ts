import type { Registry } from 'prom-client';
import type { Reader } from '../../kit/db/db.ts';
import { registerGauge } from '../../kit/db/gauge.ts';
import { figuresSql } from './sql.ts';

type Figures = { head: number; mark: number; rows: number; age: number };

const figures: Record<keyof Figures, [name: string, help: string]> = {
  head: ['florin_stamps_head', 'The number of the newest stamp of the hash chain.'],
  mark: ['florin_stamps_head_mark', 'The first 48 bits of the hash of the newest stamp, as a number.'],
  rows: ['florin_unstamped_rows', 'Rows of the ledger and the audit log that have no stamp yet, at most.'],
  age: ['florin_unstamped_age_seconds', 'Seconds since the oldest row without a stamp was written.'],
};

/** The head of the hash chain and the rows after it, for Prometheus: the same in every process. */
export function createStampMetrics(registry: Registry, reader: Reader): void {
  for (const [key, [name, help]] of Object.entries(figures)) {
    registerGauge(registry, {
      name,
      help,
      async read() {
        const { rows } = await reader.query<Figures>(figuresSql);
        return rows.map((found) => ({ labels: {}, value: found[key as keyof Figures] }));
      },
    });
  }
}
