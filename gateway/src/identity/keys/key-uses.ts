import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';

export type KeyUses = {
  note(keyId: string, address: string): void;
  /** Writes what was noted since the last call. A crash loses a few seconds of "last used". */
  flush(): Promise<void>;
};

/** Notes in memory when and from where keys were used, so that no request waits for that write. */
export function createKeyUses(db: Database, now: Clock): KeyUses {
  let uses = new Map<string, { at: Date; address: string }>();
  return {
    note: (keyId, address) => uses.set(keyId, { at: now(), address }),
    async flush() {
      if (uses.size === 0) return;
      // In the order of their ids, so that two processes lock the rows in the same order.
      const noted = [...uses].sort(([a], [b]) => (a < b ? -1 : 1));
      uses = new Map();
      await db.query(
        `UPDATE api_keys k SET last_used_at = t.at, last_used_from = t.address
         FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS t (id, at, address)
         WHERE k.id = t.id AND (k.last_used_at IS NULL OR k.last_used_at < t.at)`,
        [noted.map(([id]) => id), noted.map(([, { at }]) => at), noted.map(([, { address }]) => address)],
      );
    },
  };
}
