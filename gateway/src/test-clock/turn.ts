import { setTimeout as delay } from 'node:timers/promises';
import type { IntegrationId } from '../identity/integration.ts';
import type { Database } from '../kit/db/db.ts';
import { type LeaseTerms, leaveLease, takeLease } from '../kit/db/lease.ts';
import { kitErrors, refuse } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';

// A lease and not a lock of a connection: a call that waits a minute for webhooks must not hold a connection that long.
const turn = { seconds: 10, renewMs: 3_000 };
const patienceMs = 120_000;
const pauseMs = { first: 10, longest: 250 };

/** The lease of an integration's test clock. */
export const clockLease = (id: IntegrationId): string => `test clock ${id}`;

/**
 * Does `work` while no other work is done for the same integration, in any process: the next one waits for its turn, and
 * is refused as `unavailable` after two minutes. A turn whose process died is free after 10 s.
 */
export async function inClockTurn<T>(db: Database, id: IntegrationId, work: () => Promise<T>): Promise<T> {
  const lease = { name: clockLease(id), holder: newId(), seconds: turn.seconds };
  await waitForTurn(db, lease);
  const renewal = setInterval(() => {
    // If one renewal fails, the next one comes before the lease runs out.
    takeLease(db, lease).catch(() => {});
  }, turn.renewMs);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // The lease runs out by itself where the database cannot be reached.
    await leaveLease(db, lease).catch(() => {});
  }
}

async function waitForTurn(db: Database, lease: LeaseTerms): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  for (let pause = pauseMs.first; !(await takeLease(db, lease)); ) {
    if (performance.now() > giveUpAt) throw refuse(kitErrors.unavailable);
    await delay(pause);
    pause = Math.min(pause * 2, pauseMs.longest);
  }
}
