import { createHash } from 'node:crypto';
import { Keypair } from '@stellar/stellar-sdk';
import type { Account } from './accounts.ts';
import { unitsPerCoin } from './amounts.ts';
import { newAccount } from './apply.ts';
import { type Asked, faultOf, feeOf } from './check.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import { createHistory, type History } from './history.ts';
import { applyLedger } from './include.ts';
import { openJournal } from './journal.ts';
import type { Ledger, LedgerTransaction } from './ledger.ts';
import { type Codes, resultXdr } from './results.ts';

export type CoreOptions = {
  /** Names the network in every signature; the root account's key comes from it, as on real networks. */
  passphrase?: string;
  /** Stroops an operation. */
  baseFee?: bigint;
  now?: () => Date;
  /** File that keeps the ledgers; a core that opens it again goes on where it ended. */
  journal?: string | null;
};

/** What became of a submitted envelope. `outcome`: null where no ledger takes it any more. */
export type Submitted =
  | { kind: 'malformed' }
  | { kind: 'refused'; hash: string; codes: Codes; resultXdr: string }
  | { kind: 'waiting'; hash: string; outcome: Promise<LedgerTransaction | null> }
  | { kind: 'applied'; transaction: LedgerTransaction };

export type LedgerCore = {
  readonly passphrase: string;
  /** Holds all coins at first. */
  readonly root: Keypair;
  readonly baseReserve: bigint;
  /** Stroops that the next ledgers take for an operation; may be changed. */
  baseFee: bigint;
  readonly now: () => Date;
  readonly history: History;
  readonly ledgers: readonly Ledger[];
  last(): Ledger;
  account(id: string): Account | null;
  /** The sequence that the account's next envelope has to have. */
  nextSequence(id: string): bigint;
  submit(xdr: string): Submitted;
  /** Closes a ledger over whatever waits. */
  close(): Ledger;
  onClose(listener: (ledger: Ledger) => void): () => void;
  /** Closes its file. */
  end(): void;
};

export const totalCoins = 100_000_000_000n * unitsPerCoin;
const baseReserve = unitsPerCoin / 2n;

type Waiting = { envelope: Envelope; settle: (transaction: LedgerTransaction | null) => void };

/** A ledger of its own, which any number of Horizon servers may show. */
export function createCore(options: CoreOptions = {}): LedgerCore {
  const journal = options.journal ? openJournal(options.journal) : null;
  const passphrase = options.passphrase ?? 'Florin Test Pi';
  const now = options.now ?? (() => new Date());
  const root = Keypair.master(passphrase);
  const history = createHistory();
  const accounts = new Map<string, Account>();
  const ledgers: Ledger[] = [];
  const listeners = new Set<(ledger: Ledger) => void>();
  const waiting = new Map<string, Waiting & { outcome: Promise<LedgerTransaction | null> }>();
  const core: LedgerCore = {
    passphrase,
    root,
    baseReserve,
    baseFee: options.baseFee ?? 100_000n,
    now,
    history,
    ledgers,
    last: () => ledgers.at(-1)!,
    account: (id) => accounts.get(id) ?? null,
    nextSequence: (id) => (accounts.get(id)?.sequence ?? 0n) + BigInt(waitingOf(id)) + 1n,
    submit,
    close,
    onClose(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    end: () => journal?.end(),
  };

  function begin(closedAt: Date): void {
    const account = newAccount(root.publicKey(), totalCoins, 0);
    add([], closedAt, core.baseFee, new Map([[account.id, { ...account, changedIn: 1 }]]));
  }

  /** Writes a ledger and what it changed; the journal has it first. */
  function add(
    envelopes: Envelope[],
    closedAt: Date,
    baseFee: bigint,
    changes?: ReadonlyMap<string, Account | null>,
  ): Ledger {
    const previous = ledgers.at(-1);
    const sequence = (previous?.sequence ?? 0) + 1;
    const previousHash = previous?.hash ?? '0'.repeat(64);
    const content = [previousHash, sequence, closedAt.getTime(), ...envelopes.map(({ hash }) => hash)];
    const hash = createHash('sha256').update(content.join()).digest('hex');
    const ledger: Ledger = {
      sequence,
      hash,
      previousHash,
      closedAt,
      baseFee,
      feePool: previous?.feePool ?? 0n,
      transactions: [],
    };
    const base = { get: (id: string) => accounts.get(id) ?? null };
    for (const [id, account] of changes ?? applyLedger(ledger, envelopes, base, baseReserve)) {
      if (account) accounts.set(id, account);
      else accounts.delete(id);
      history.setAccount(id, { ledger: sequence, account });
    }
    ledgers.push(ledger);
    for (const transaction of ledger.transactions) history.add(transaction);
    return ledger;
  }

  const waitingOf = (id: string): number =>
    [...waiting.values()].filter(({ envelope }) => envelope.source.account === id).length;
  const askedAt = (closeTime: Date, count: number): Asked => ({
    accountOf: core.account,
    waiting: count,
    closeTime,
    rules: { baseFee: core.baseFee, baseReserve },
  });

  function submit(xdr: string): Submitted {
    const envelope = readEnvelope(xdr, passphrase);
    if (envelope === 'malformed') return { kind: 'malformed' };
    if (envelope === 'fee_bump') {
      return { kind: 'refused', hash: '', ...refusal({ transaction: 'tx_not_supported', operations: null }) };
    }
    const { hash } = envelope;
    const known = history.transaction(hash);
    if (known) return { kind: 'applied', transaction: known };
    const pending = waiting.get(hash);
    if (pending) return { kind: 'waiting', hash, outcome: pending.outcome };
    const fault = faultOf(envelope, askedAt(now(), waitingOf(envelope.source.account)));
    if (fault) return { kind: 'refused', hash, ...refusal(fault, envelope) };
    const { promise: outcome, resolve: settle } = Promise.withResolvers<LedgerTransaction | null>();
    waiting.set(hash, { envelope, settle, outcome });
    return { kind: 'waiting', hash, outcome };
  }

  function refusal(codes: Codes, envelope?: Envelope): { codes: Codes; resultXdr: string } {
    const operations = (codes.operations ?? []).map((code, at) => ({
      type: envelope!.operations[at]!.record.type,
      outcome: { code },
    }));
    const fee = codes.transaction === 'tx_insufficient_fee' ? feeOf(envelope!, core.baseFee) : 0n;
    return { codes, resultXdr: resultXdr(fee, codes.transaction, operations) };
  }

  function close(): Ledger {
    const seconds = Math.floor(now().getTime() / 1000);
    const closedAt = new Date(Math.max(seconds * 1000, core.last().closedAt.getTime()));
    const taken: Waiting[] = [];
    const given = [...waiting.values()];
    waiting.clear();
    for (const each of given) {
      const before = taken.filter(({ envelope }) => envelope.source.account === each.envelope.source.account);
      if (faultOf(each.envelope, askedAt(closedAt, before.length))) each.settle(null);
      else taken.push(each);
    }
    const envelopes = taken.map(({ envelope }) => envelope);
    journal?.append({
      closed_at: closedAt.toISOString(),
      base_fee: core.baseFee.toString(),
      envelopes: envelopes.map(({ xdr }) => xdr),
    });
    const ledger = add(envelopes, closedAt, core.baseFee);
    taken.forEach(({ settle }, at) => {
      settle(ledger.transactions[at]!);
    });
    for (const listener of [...listeners]) listener(ledger);
    return ledger;
  }

  for (const line of journal?.lines ?? []) {
    const envelopes = line.envelopes.map((xdr) => readEnvelope(xdr, passphrase) as Envelope);
    const closedAt = new Date(line.closed_at);
    core.baseFee = BigInt(line.base_fee);
    if (ledgers.length === 0) begin(closedAt);
    else add(envelopes, closedAt, core.baseFee);
  }
  if (ledgers.length === 0) {
    const closedAt = new Date(Math.floor(now().getTime() / 1000) * 1000);
    journal?.append({ closed_at: closedAt.toISOString(), base_fee: core.baseFee.toString(), envelopes: [] });
    begin(closedAt);
  }
  return core;
}
