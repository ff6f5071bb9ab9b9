import { after, type Clock } from '../../kit/clock.ts';
import type { Database, Reader } from '../../kit/db/db.ts';
import type { RailFault, RailProbe } from '../../rails/health.ts';
import { simulatedRail } from '../../rails/simulated/rail.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import type { Changes } from './changes.ts';
import { type Facts, nextDue } from './decide.ts';

// A payment is moved by time only when every rail that it awaits was read past that time: what its customer sent before
// may be in a part of a chain that was not read yet.

/** Up to when a payment may be moved by time, and how far each rail that it awaits was read. */
export type Reach = { through: Date; read: ReadonlyMap<string, Date> };

/** What a payment waits for: the moment that is due, the rails that have not read past it, and when to look again. */
export type Wait = { since: Date; rails: string[]; until: Date };

/** The rails on which the payment is shown where to send this asset; none for what is simulated. */
export async function railsShown(
  reader: Reader,
  { rail, assets }: Pick<StateDeps, 'rail' | 'assets'>,
  payment: Payment,
  asset: string,
): Promise<string[]> {
  if (payment.mode !== 'live' && assets.modeOf(asset) !== 'test') return [];
  const places = await rail.destinations(reader, payment.id);
  return [...new Set(places.filter((place) => place.asset === asset).map((place) => place.rail))];
}

/**
 * Up to when the payment may be moved by time at `at`: no further than each rail that it awaits was read for it, and no
 * further than what the simulated chain has still to show.
 */
export async function reachOf(
  changes: Changes,
  id: string,
  { facts, at }: { facts: Facts; at: Date },
): Promise<Reach> {
  const { mode, awaitedRails } = changes.payment(id);
  const due = nextDue(facts, beforeAll);
  if (due === null || due > at) return { through: at, read: new Map() };
  const times =
    awaitedRails.length === 0 ? noTimes : await changes.deps.rail.readThrough(changes.tx, id, awaitedRails);
  const read = new Map(awaitedRails.map((name) => [name, times.get(name) ?? beforeAll]));
  const step = mode === 'test' ? await changes.nextStepOf(id) : undefined;
  if (step) read.set(simulatedRail, justBefore(step));
  const through = Math.min(at.getTime(), ...[...read.values()].map((time) => time.getTime()));
  return { through: new Date(through), read };
}

const beforeAll = new Date(0);
const noTimes: ReadonlyMap<string, Date> = new Map();
const justBefore = (time: Date): Date => new Date(time.getTime() - 1);

const shortestPauseSeconds = 2;
const longestPauseSeconds = 60;

/** What a payment waits for though its next due moment has come by `at`; null where that has not come. */
export function waitOf(
  since: Date | null,
  { read }: Reach,
  { at, now }: { at: Date; now: Date },
): Wait | null {
  if (since === null || since > at) return null;
  const rails = [...read].filter(([, time]) => time < since).map(([name]) => name);
  // A payment that waits long is looked at less often, so that thousands of them leave time for the others.
  const waited = (now.getTime() - since.getTime()) / 1000;
  const pause = Math.min(longestPauseSeconds, Math.max(shortestPauseSeconds, waited / 4));
  return { since, rails, until: after(now, pause) };
}

/** A healthy rail was read past a deadline this long after it. */
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
