import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { oneRow } from '../../gateway/src/kit/db/one-row.ts';
import type { RunningGateway } from '../gateway.ts';

/** How the gateway and its database stood at a moment. */
export type Sample = {
  atMs: number;
  /** Resident memory of the gateway's process. */
  gatewayMb: number;
  /** What the processes of PostgreSQL hold beside the memory that they share. */
  databaseMb: number;
  /** Files and sockets that the gateway has open. */
  descriptors: number;
  /** Connections to the database, two of them the bench's own. */
  connections: number;
  /** Tables with their indexes. */
  tablesMb: number;
  /** The part of the rows that are dead, of all that PostgreSQL knows of. */
  deadPart: number;
  /** The files of the WAL. */
  walMb: number;
};

export type Watch = { samples: readonly Sample[]; stop(): Promise<void> };

/** Samples until it is stopped. */
export function startWatch(gateway: RunningGateway, everyMs: number): Watch {
  const samples: Sample[] = [];
  const stopped = new AbortController();
  const done = (async () => {
    while (!stopped.signal.aborted) {
      samples.push(await takeSample(gateway));
      await sleep(everyMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  })();
  // Seen where it is stopped.
  done.catch(() => {});
  return {
    samples,
    async stop() {
      stopped.abort();
      await done;
    },
  };
}

const databaseSql = `
SELECT (SELECT array_agg(pid) FROM pg_stat_activity) AS pids,
  (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
  (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace)::float AS tables,
  (SELECT sum(n_dead_tup)::float / greatest(1, sum(n_live_tup + n_dead_tup)) FROM pg_stat_user_tables) AS dead,
  (SELECT sum(size) FROM pg_ls_waldir())::float AS wal`;

type DatabaseRow = { pids: number[]; connections: number; tables: number; dead: number; wal: number };

async function takeSample({ db, processes: { gateway, postmaster } }: RunningGateway): Promise<Sample> {
  const [row, gatewayMb, descriptors] = await Promise.all([
    db.query<DatabaseRow>(databaseSql).then((result) => oneRow(result, 'the state of the database')),
    memoryMb(gateway, 'VmRSS'),
    readdir(`/proc/${gateway}/fd`).then((names) => names.length),
  ]);
  // One that has just ended holds nothing.
  const held = await Promise.all(
    [postmaster, ...row.pids].map((pid) => memoryMb(pid, 'RssAnon').catch(() => 0)),
  );
  return {
    atMs: Date.now(),
    gatewayMb,
    databaseMb: held.reduce((sum, mb) => sum + mb, 0),
    descriptors,
    connections: row.connections,
    tablesMb: row.tables / 1e6,
    deadPart: row.dead,
    walMb: row.wal / 1e6,
  };
}

async function memoryMb(pid: number, name: 'VmRSS' | 'RssAnon'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return (Number.parseInt(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? '0', 10) * 1024) / 1e6;
}
