import { randomUUID } from 'node:crypto';
import { after } from '../../kit/clock.ts';
import { leaveLease, takeLease } from '../../kit/db/lease.ts';
import { ProofRefused } from './holdings.ts';
import { makeProof, type ProofDeps } from './make.ts';
import { newestProofAt } from './store.ts';

/** As the setting PROVE_AT: a weekday (0: Sunday) or each day, and minutes after midnight in UTC. */
export type ProofTimes = { weekday: number | null; minute: number };

const daySeconds = 86_400;
/** After an attempt that failed, such as with a chain that could not be asked. */
const againSeconds = 600;
/** Longer than making one takes. A process that dies while it makes one delays the next attempt by this. */
const leaseSeconds = 1_800;

/** The last time of the schedule that is not after `now`. */
export function slotBefore({ weekday, minute }: ProofTimes, now: Date): Date {
  const midnight = new Date(now);
  midnight.setUTCHours(0, 0, 0, 0);
  let slot = after(midnight, minute * 60);
  while (slot > now || (weekday !== null && slot.getUTCDay() !== weekday)) slot = after(slot, -daySeconds);
  return slot;
}

/** Makes the function that makes a statement when one is due, in one process at a time. Null: never. */
export function createProofWatch(deps: ProofDeps, times: ProofTimes | null): () => Promise<void> {
  const { db, now, log } = deps;
  const terms = { name: 'proofs', holder: randomUUID(), seconds: leaseSeconds };
  const begunAt = now();
  let failedAt: Date | null = null;
  return async () => {
    if (times === null || (failedAt !== null && after(failedAt, againSeconds) > now())) return;
    const isDue = async (): Promise<boolean> => {
      const newest = await newestProofAt(db);
      const slot = slotBefore(times, now());
      // An installation that has none waits for its first time.
      return newest === null ? slot >= begunAt : newest < slot;
    };
    if (!(await isDue()) || !(await takeLease(db, terms))) return;
    try {
      if (!(await isDue())) return;
      const { statement } = await makeProof(deps);
      log.info({ proof: statement.id }, 'a statement of what is owed and held was made');
    } catch (error) {
      if (!(error instanceof ProofRefused)) throw error;
      failedAt = now();
      log.warn({ fault: error.message }, 'no statement of what is owed and held could be made');
    } finally {
      await leaveLease(db, terms).catch(() => {});
    }
  };
}
