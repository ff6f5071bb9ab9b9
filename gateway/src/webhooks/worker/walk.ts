import type { Reader } from '../../kit/db/db.ts';
import { firstId } from '../../kit/ids.ts';
import { endpointsWithDue } from './sql.ts';

/** A search for due deliveries through all endpoints that fail, or through all others, page by page. */
export type Walk = {
  /** Whether it goes through endpoints that fail. */
  failing: boolean;
  /** There are more pages. */
  isOpen(): boolean;
  /** Starts at the first page. Does nothing while the walk is open, or too soon after the last one. */
  begin(): void;
  /** The next endpoints with something due that no other worker holds. */
  nextPage(worker: string): Promise<string[]>;
};

export const pageSize = 512;
// With very many endpoints a walk takes long, and the database has other work: walks take this share of the time.
const walkShare = 0.05;

export function createWalk(db: Reader, failing: boolean): Walk {
  let isOpen = false;
  let after: string = firstId;
  let tookMs = 0;
  let restsUntil = 0;
  return {
    failing,
    isOpen: () => isOpen,
    begin() {
      if (isOpen || performance.now() < restsUntil) return;
      isOpen = true;
      tookMs = 0;
    },
    async nextPage(worker) {
      const from = performance.now();
      const found = await endpointsWithDue(db, worker, { after, failing, limit: pageSize });
      tookMs += performance.now() - from;
      const last = found.length === pageSize ? found.at(-1) : undefined;
      isOpen = last !== undefined;
      after = last ?? firstId;
      if (!isOpen) restsUntil = performance.now() + tookMs / walkShare;
      return found;
    },
  };
}
