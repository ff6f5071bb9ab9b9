import { Counter, type Registry } from 'prom-client';
import type { Database } from '../kit/db/db.ts';
import { onceAScrape, registerGauge } from '../kit/db/gauge.ts';

type Figures = {
  bytes: number;
  connections: number;
  limit: number;
  committed: number;
  rolled_back: number;
  oldest: number;
};

// Of other roles a narrow role sees neither transactions nor their age.
const figuresSql = `
SELECT pg_database_size(datname)::float8 AS bytes, numbackends AS connections,
  current_setting('max_connections')::integer AS limit,
  xact_commit::float8 AS committed, xact_rollback::float8 AS rolled_back,
  (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(xact_start)), 0)::float8 FROM pg_stat_activity a
   WHERE a.datname = d.datname AND a.pid <> pg_backend_pid()) AS oldest
FROM pg_stat_database d WHERE datname = current_database()`;

/**
 * The database as the server counts it, the same in every process, and how long work in this process waits for connections,
 * looked at every `everyMs`.
 */
export function createDatabaseMetrics(registry: Registry, db: Database, everyMs = 1_000): void {
  const read = onceAScrape(async () => (await db.query<Figures>(figuresSql)).rows);
  const gauge = (name: string, help: string, figure: keyof Figures) =>
    registerGauge(registry, {
      ...{ name: `florin_database_${name}`, help },
      read: async () => (await read()).map((found) => ({ labels: {}, value: found[figure] })),
    });
  gauge('bytes', 'The size of the database on its disk.', 'bytes');
  gauge('connections', 'Connections to the database, of every program.', 'connections');
  gauge('connections_limit', 'Connections that the server takes.', 'limit');
  gauge('oldest_transaction_seconds', 'For how long the oldest transaction of this role is open.', 'oldest');
  new Counter({
    name: 'florin_database_transactions_total',
    help: 'Transactions by how they ended, since the server began to count.',
    labelNames: ['outcome'],
    aggregator: 'max',
    registers: [registry],
    async collect() {
      const [found] = await read().catch(() => []);
      this.reset();
      if (!found) return;
      this.inc({ outcome: 'committed' }, found.committed);
      this.inc({ outcome: 'rolled_back' }, found.rolled_back);
    },
  });
  const waiting = new Counter({
    name: 'florin_database_waiting_seconds_total',
    help: 'Seconds in which something in this process waited for a connection to the database.',
    registers: [registry],
  });
  // Not at a scrape, whose own reads wait for each other.
  const timer = setInterval(() => {
    if (db.ended) clearInterval(timer);
    else if (db.waitingCount > 0) waiting.inc(everyMs / 1000);
  }, everyMs).unref();
}
