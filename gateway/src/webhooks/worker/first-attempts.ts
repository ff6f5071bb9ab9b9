import type { DueDelivery } from './sql.ts';

/**
 * Orders the first attempts of the events of one payment or payout at one endpoint: each begins when the one before
 * it has ended, delivered or not. Retries and re-sends do not wait.
 */
export type FirstAttempts = {
  /** True when it may be sent now; otherwise it waits until `end` returns it. */
  begin(delivery: DueDelivery): boolean;
  /** An attempt has ended. Returns the delivery that waited for it and may be sent now. */
  end(delivery: DueDelivery): DueDelivery | undefined;
};

export function createFirstAttempts(): FirstAttempts {
  // By subject: what waits behind the one under way, in the order of the events; null: nothing waits.
  const waiting = new Map<string, DueDelivery[] | null>();
  return {
    begin(delivery) {
      if (delivery.attempts > 0 || delivery.subject_id === null) return true;
      const known = waiting.get(delivery.subject_id);
      if (known === undefined) {
        waiting.set(delivery.subject_id, null);
        return true;
      }
      const behind = known ?? [];
      if (!known) waiting.set(delivery.subject_id, behind);
      const place = behind.findIndex(({ sequence }) => sequence > delivery.sequence);
      behind.splice(place === -1 ? behind.length : place, 0, delivery);
      return false;
    },
    end({ attempts, subject_id }) {
      if (attempts > 0 || subject_id === null) return undefined;
      const next = waiting.get(subject_id)?.shift();
      if (!next) waiting.delete(subject_id);
      return next;
    },
  };
}
