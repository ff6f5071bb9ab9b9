import type { Envelope } from './envelope.ts';
import type { LedgerTransaction } from './ledger.ts';

/** An envelope that no ledger has yet; `outcome`: null where none takes it any more. */
export type Waiting = {
  envelope: Envelope;
  outcome: Promise<LedgerTransaction | null>;
  settle: (transaction: LedgerTransaction | null) => void;
};

/** Envelopes in the order in which they came. */
export type WaitingRoom = {
  find(hash: string): Waiting | null;
  /** How many wait, all in all and of one source. */
  size(): number;
  countOf(source: string): number;
  add(envelope: Envelope): Waiting;
  /** Takes all out of it. */
  takeAll(): Waiting[];
};

export function createWaitingRoom(): WaitingRoom {
  let byHash = new Map<string, Waiting>();
  const counts = new Map<string, number>();
  return {
    find: (hash) => byHash.get(hash) ?? null,
    size: () => byHash.size,
    countOf: (source) => counts.get(source) ?? 0,
    add(envelope) {
      const { promise: outcome, resolve: settle } = Promise.withResolvers<LedgerTransaction | null>();
      const waiting = { envelope, outcome, settle };
      const source = envelope.source.account;
      byHash.set(envelope.hash, waiting);
      counts.set(source, (counts.get(source) ?? 0) + 1);
      return waiting;
    },
    takeAll() {
      const all = [...byHash.values()];
      byHash = new Map();
      counts.clear();
      return all;
    },
  };
}
