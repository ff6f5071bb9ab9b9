import type { Json } from '../views/links.ts';

/** What goes wrong with a request. */
export type Fault =
  /** 504; an envelope is submitted all the same where it `applies`, and is in the next ledger. */
  | { kind: 'timeout'; applies?: boolean }
  | { kind: 'rate_limited'; retryAfterSeconds?: number }
  /** The connection breaks before anything was done, or after all was done and nothing answered. */
  | { kind: 'reset' }
  | { kind: 'lost' }
  | { kind: 'slow'; ms: number }
  /** Half of the answer, as if it were all. */
  | { kind: 'truncated' }
  /** A page without records, though there are some. */
  | { kind: 'empty' }
  /** A list without some of its records, and nothing that shows it; `place` counts those of the answer from 0. */
  | { kind: 'omits'; isLeftOut: (record: Json, place: number) => boolean }
  | { kind: 'html' }
  /** 500, or 503 as of a Horizon that knows how far behind it is. */
  | { kind: 'error'; status?: 500 | 503 }
  /** Answered as this many ledgers ago. */
  | { kind: 'stale'; ledgers: number }
  /** A stream that ends in the middle of its next event. */
  | { kind: 'cut' }
  /** The answer's JSON as a server that is broken or lies tells it; `status`: with that in place of its own. */
  | { kind: 'rewrite'; rewrite: (body: unknown) => unknown; status?: number };

/** Which requests it meets: the next `times` (1) whose method and path with query match. */
export type FaultMatch = { times?: number; method?: string; path?: RegExp };

export type Faults = {
  /** Gives back how it is taken away again. */
  add(fault: Fault & FaultMatch): () => void;
  clear(): void;
  /** Ends every stream that is open, without a farewell. */
  cutStreams(): void;
  /** How many requests are still to be met; infinite ones count 1. */
  left(): number;
};

export type FaultQueue = Faults & { take(method: string, path: string): Fault | null };

/** Faults wait in their order; a request meets the first that matches. */
export function createFaults(cutStreams: () => void): FaultQueue {
  let waiting: (Fault & FaultMatch & { times: number })[] = [];
  return {
    cutStreams,
    add(fault) {
      const entry = { ...fault, times: fault.times ?? 1 };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((each) => each !== entry);
      };
    },
    clear() {
      waiting = [];
    },
    left: () => waiting.reduce((sum, { times }) => sum + (Number.isFinite(times) ? times : 1), 0),
    take(method, path) {
      const met = waiting.find(
        (each) => (each.method ?? method) === method && (each.path?.test(path) ?? true),
      );
      if (!met) return null;
      met.times -= 1;
      if (met.times <= 0) waiting = waiting.filter((each) => each !== met);
      return met;
    },
  };
}
