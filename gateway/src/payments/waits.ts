import { after, type Clock } from '../kit/clock.ts';
import type { Database, Reader } from '../kit/db/db.ts';
import type { RailFault, RailProbe } from '../rails/rail.ts';

/** A rail is read up to a deadline this long after it at the latest, while all is well. */
const usualSeconds = 180;

/** A rail's health, with the payments that wait for it longer than usual. */
export function withWaits(db: Database, now: Clock, probe: RailProbe): RailProbe {
  return async () => {
    const health = await probe();
    const fault = await waitFault(db, health.rail, now());
    return fault ? { ...health, faults: [...health.faults, fault] } : health;
  };
}

async function waitFault(reader: Reader, rail: string, now: Date): Promise<RailFault | null> {
  const { rows } = await reader.query<{ count: number; since: Date | null }>(
    `SELECT count(*)::integer AS count, min(unread_since) AS since FROM payments
     WHERE unread_since < $2 AND $1 = ANY (unread_rails)`,
    [rail, after(now, -usualSeconds)],
  );
  const { count = 0, since = null } = rows[0] ?? {};
  if (since === null) return null;
  const message = `Payments that wait until it was read past their time: ${count}, the first since ${since.toISOString()}.`;
  return { code: 'payments_wait', message };
}
