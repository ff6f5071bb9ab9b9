import pg from 'pg';
import { type Database, openDatabase } from '../db.ts';
import { oneRow } from '../one-row.ts';
import { askingClient, breakOff } from '../primary.ts';
import type { Moments, Replayed } from './moments.ts';

/** Why nothing is read from a standby; `primary`: it takes writes, as after a failover. */
export type StandbyFault = 'away' | 'behind' | 'primary' | 'slow';

/** A standby, and what it has. */
export type StandbyHost = {
  /** `db2.internal:5432` */
  name: string;
  /** For reading; the server refuses writes. */
  db: Database;
  /** Asks it what it has. Never rejects. */
  look(): Promise<void>;
  /** The moment of the primary that it has reached, by the clock of this process; null: it is not known. */
  reachedMs(): number | null;
  /** Why it cannot be used, whatever it has. */
  fault(): StandbyFault | null;
  /** It has failed to answer: it is left alone for a while. */
  leave(): void;
  close(): Promise<void>;
};

/** What lists a statement for, and for how long they wait: the primary is asked after that. */
const readLimits = { connectionTimeoutMillis: 2_000, statement_timeout: 10_000, query_timeout: 12_000 };
const connections = 10;
const leftMs = 30_000;

/** The rows that every process of a gateway writes anew every few seconds: `operations/heartbeat.ts`. */
export const marksSql = `ARRAY(SELECT id::text || ' ' || xmin::text
  FROM (SELECT id, xmin FROM gateway_processes ORDER BY seen_at DESC LIMIT 50) newest)`;

const lookSql = `SELECT pg_is_in_recovery() AS follows,
  coalesce(pg_last_wal_replay_lsn(), '0/0') - '0/0'::pg_lsn AS lsn, ${marksSql} AS marks`;

type Seen = { follows: boolean; lsn: string; marks: string[] };

/** Opens no connection before it is needed. `answerMs`: how long it is waited for an answer to what it has. */
export function openHost(connectionString: string, moments: Moments, answerMs: number): StandbyHost {
  const db = openDatabase(
    { connectionString, ...readLimits, options: '-c default_transaction_read_only=on' },
    connections,
  );
  const { host, port } = new pg.Client({ connectionString });
  let asking: pg.Client | undefined;
  let reachedMs: number | null = null;
  let fault: StandbyFault | null = 'away';
  let leftUntilMs = 0;

  async function ask(): Promise<Seen> {
    if (!asking) {
      asking = askingClient(connectionString, answerMs, 'florin standby');
      await asking.connect();
    }
    return oneRow(await asking.query<Seen>(lookSql), 'state of a standby');
  }

  function stopAsking(): void {
    if (asking) breakOff(asking, 'Connection terminated: its server is not asked any more');
    asking = undefined;
  }

  return {
    name: `${host}:${port}`,
    db,
    async look() {
      try {
        const { follows, lsn, marks } = await ask();
        const replayed: Replayed = { lsn: BigInt(lsn), marks };
        reachedMs = follows ? moments.reachedBy(replayed) : null;
        fault = follows ? null : 'primary';
      } catch {
        stopAsking();
        reachedMs = null;
        fault = 'away';
      }
    },
    reachedMs: () => reachedMs,
    fault: () => fault ?? (performance.now() < leftUntilMs ? 'slow' : null),
    leave() {
      leftUntilMs = performance.now() + leftMs;
    },
    async close() {
      stopAsking();
      await db.end();
    },
  };
}
