import { hostname } from 'node:os';
import { after, type Clock } from '../kit/clock.ts';
import type { Database, Reader } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import type { Loop } from '../kit/loop.ts';
import type { OpenSeal } from './master-key.ts';
import { florinVersion } from './version.ts';

/** A background loop, as its process last reported it. */
type LoopReport = {
  name: string;
  every_seconds: number;
  /** ISO times; null: not yet. */
  last_done_at: string | null;
  last_fault: { at: string; message: string } | null;
};

export type ProcessReport = {
  id: string;
  host: string;
  pid: number;
  version: string;
  started_at: Date;
  seen_at: Date;
  loops: LoopReport[];
};

export const heartbeatMs = 5_000;
const forgottenAfterSeconds = 24 * 3600;
const messageLength = 500;

export type HeartbeatDeps = {
  db: Database;
  now: Clock;
  loops: ReadonlyMap<string, Loop>;
  /** The master keys of this process, which follow the installation's; null: its key never changes. */
  masterKeys: Pick<OpenSeal, 'follow' | 'keys'> | null;
};

/**
 * Returns the function that writes this process's row: its loops with their last run and error, and its master keys,
 * which it first brings up to date.
 */
export function createHeartbeat({ db, now, loops, masterKeys }: HeartbeatDeps): () => Promise<void> {
  const startedAt = now();
  const version = florinVersion();
  const id = newId<'process'>(startedAt);
  async function report(): Promise<void> {
    const time = now();
    const keys = masterKeys?.keys();
    const reported = JSON.stringify(reportsOf(loops, time));
    await db.query(
      `INSERT INTO gateway_processes (id, host, pid, version, started_at, seen_at, loops, master_keys, sealing_key)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, loops = excluded.loops,
         master_keys = excluded.master_keys, sealing_key = excluded.sealing_key`,
      [
        ...[id, hostname(), process.pid, version, startedAt, time, reported],
        ...[keys?.all ?? [], keys?.active ?? null],
      ],
    );
    await db.query('DELETE FROM gateway_processes WHERE seen_at < $1', [after(time, -forgottenAfterSeconds)]);
  }

  return async () => {
    try {
      await masterKeys?.follow();
    } finally {
      await report();
    }
  };
}

function reportsOf(loops: ReadonlyMap<string, Loop>, time: Date): LoopReport[] {
  // Loops measure time by the process's own clock, which is never set back.
  const at = (ms: number) => after(time, (ms - performance.now()) / 1000).toISOString();
  return [...loops].map(([name, loop]) => {
    const done = loop.lastDoneMs();
    const fault = loop.lastFault();
    return {
      name,
      every_seconds: loop.everyMs / 1000,
      last_done_at: done === null ? null : at(done),
      last_fault: fault && { at: at(fault.atMs), message: fault.message.slice(0, messageLength) },
    };
  });
}

const shownProcesses = 50;

/** The processes with the newest heartbeats, newest first. */
export async function processReports(reader: Reader): Promise<ProcessReport[]> {
  const { rows } = await reader.query<ProcessReport>(
    `SELECT id, host, pid, version, started_at, seen_at, loops
     FROM gateway_processes ORDER BY seen_at DESC LIMIT $1`,
    [shownProcesses],
  );
  return rows;
}
