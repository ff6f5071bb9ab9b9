import { setTimeout as delay } from 'node:timers/promises';
import type { IntegrationId } from '../identity/integration.ts';
import type { Database } from '../kit/db/db.ts';
import { kitErrors, refuse } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';

// Rows rather than locks of a connection: whoever waits for webhooks for a minute must not keep a connection from
// everybody else's payments for as long.
const turn = { seconds: 10, renewMs: 3_000 };
const patienceMs = 120_000;
const pauseMs = { first: 10, longest: 250 };

/**
 * Does `work` while no other is done for the same integration, in this process or another: the next one waits its
 * turn, and is refused as `unavailable` after two minutes. A turn whose process died is free after 10 s.
 */
export async function inClockTurn<T>(db: Database, id: IntegrationId, work: () => Promise<T>): Promise<T> {
  const holder = newId();
  await waitForTurn(db, id, holder);
  const renewal = setInterval(() => {
    // What is missed once is done the next time, before the turn runs out.
    renew(db, id, holder).catch(() => {});
  }, turn.renewMs);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // Runs out by itself where the database is away.
    await end(db, id, holder).catch(() => {});
  }
}

async function waitForTurn(db: Database, id: IntegrationId, holder: string): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  for (let pause = pauseMs.first; !(await take(db, id, holder)); ) {
    if (performance.now() > giveUpAt) throw refuse(kitErrors.unavailable);
    await delay(pause);
    pause = Math.min(pause * 2, pauseMs.longest);
  }
}

async function take(db: Database, id: IntegrationId, holder: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO test_clock_turns AS t (integration_id, holder, until)
     VALUES ($1, $2, now() + $3 * interval '1 second')
     ON CONFLICT (integration_id) DO UPDATE SET holder = excluded.holder, until = excluded.until
     WHERE t.until <= now()`,
    [id, holder, turn.seconds],
  );
  return rowCount === 1;
}

async function renew(db: Database, id: IntegrationId, holder: string): Promise<void> {
  await db.query(
    `UPDATE test_clock_turns SET until = now() + $3 * interval '1 second' WHERE integration_id = $1 AND holder = $2`,
    [id, holder, turn.seconds],
  );
}

async function end(db: Database, id: IntegrationId, holder: string): Promise<void> {
  await db.query('DELETE FROM test_clock_turns WHERE integration_id = $1 AND holder = $2', [id, holder]);
}
