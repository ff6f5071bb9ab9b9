import type { Chain } from './chain.ts';
import { type Asked, faultOf, feeOf, type Rules } from './check.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import type { LedgerTransaction } from './ledger.ts';
import { type Codes, resultXdr } from './results.ts';
import { createWaitingRoom, type Waiting } from './waiting.ts';

/** What became of a submitted envelope. `outcome`: null where no ledger takes it any more. */
export type Submitted =
  | { kind: 'malformed' }
  | { kind: 'refused'; codes: Codes; resultXdr: string }
  | { kind: 'waiting'; hash: string; outcome: Promise<LedgerTransaction | null> }
  | { kind: 'applied'; transaction: LedgerTransaction };

export type Submissions = {
  submit(xdr: string): Submitted;
  /** How many wait for the next ledger, all in all and of one source. */
  size(): number;
  countOf(source: string): number;
  /** Takes out what a ledger of that time takes; the others learn that none does. */
  takeFor(closedAt: Date): Waiting[];
};

type Network = { passphrase: string; now: () => Date; rules: () => Rules };

/** Where envelopes are looked at, and wait for their ledger. */
export function createSubmissions(chain: Chain, { passphrase, now, rules }: Network): Submissions {
  const room = createWaitingRoom();
  const askedAt = (closeTime: Date, waiting: number): Asked => ({
    accountOf: (id) => chain.accounts.get(id) ?? null,
    waiting,
    closeTime,
    rules: rules(),
  });
  return {
    size: room.size,
    countOf: room.countOf,
    submit(xdr) {
      const envelope = readEnvelope(xdr, passphrase);
      if (envelope === 'malformed') return { kind: 'malformed' };
      if (envelope === 'fee_bump')
        return refusalOf({ transaction: 'tx_not_supported', operations: null }, []);
      const { hash } = envelope;
      const transaction = chain.history.transaction(hash);
      if (transaction) return { kind: 'applied', transaction };
      const known = room.find(hash);
      if (known) return { kind: 'waiting', hash, outcome: known.outcome };
      const codes = faultOf(envelope, askedAt(now(), room.countOf(envelope.source.account)));
      if (!codes) return { kind: 'waiting', hash, outcome: room.add(envelope).outcome };
      // This one fault alone tells the fee that there should have been.
      const isFee = codes.transaction === 'tx_insufficient_fee';
      return refusalOf(codes, envelope.operations, isFee ? feeOf(envelope, rules().baseFee) : 0n);
    },
    takeFor(closedAt) {
      const counts = new Map<string, number>();
      return room.takeAll().filter(({ envelope, settle }) => {
        const source = envelope.source.account;
        const before = counts.get(source) ?? 0;
        const isTaken = faultOf(envelope, askedAt(closedAt, before)) === null;
        if (isTaken) counts.set(source, before + 1);
        else settle(null);
        return isTaken;
      });
    },
  };
}

function refusalOf(codes: Codes, operations: Envelope['operations'], fee = 0n): Submitted {
  const results = (codes.operations ?? []).map((code, at) => ({
    type: operations[at]!.record.type,
    outcome: { code },
  }));
  return { kind: 'refused', codes, resultXdr: resultXdr(fee, codes.transaction, results) };
}
