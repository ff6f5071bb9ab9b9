import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from './db.ts';
import { oneRow } from './one-row.ts';

// Who waits for an advisory lock is about to start, and looks first whether the database is served. A connection that asks which
// of several servers takes writes does nothing else, and this process has one too.
const othersSql = `
SELECT count(*)::int AS others FROM pg_stat_activity a
WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename IN (current_user, $1)
  AND application_name <> 'florin primary'
  AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory' AND NOT l.granted)`;
const pollMs = 100;
/** The server needs a moment to notice that a connection was closed. */
const goneMs = 3_000;

/** How many others stay connected to this database as the owner or as the serving role, which may write. */
export async function countOtherSessions(tx: Tx, role: string | null): Promise<number> {
  for (const began = performance.now(); ; await sleep(pollMs)) {
    // A transaction sees the connections as they were when it first asked.
    await tx.query('SELECT pg_stat_clear_snapshot()');
    const { others } = oneRow(await tx.query<{ others: number }>(othersSql, [role]), 'others');
    if (others === 0 || performance.now() - began > goneMs) return others;
  }
}
