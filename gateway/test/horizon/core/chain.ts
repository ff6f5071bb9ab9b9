import { createHash } from 'node:crypto';
import type { Account } from './accounts.ts';
import type { Envelope } from './envelope.ts';
import { createHistory, type History } from './history.ts';
import { applyLedger } from './include.ts';
import type { Ledger } from './ledger.ts';

/** Ledgers one after the other, and the accounts as the last one left them. */
export type Chain = {
  readonly ledgers: readonly Ledger[];
  readonly accounts: ReadonlyMap<string, Account>;
  readonly history: History;
  /** The first ledger: it has accounts and no transactions. */
  begin(accounts: Account[], header: Header): Ledger;
  /** Applies envelopes as the next ledger. */
  add(envelopes: Envelope[], header: Header): Ledger;
};

type Header = Pick<Ledger, 'closedAt' | 'baseFee'>;

export function createChain(baseReserve: bigint): Chain {
  const ledgers: Ledger[] = [];
  const accounts = new Map<string, Account>();
  const history = createHistory();

  function write(ledger: Ledger, changes: Iterable<[string, Account | null]>): Ledger {
    for (const [id, account] of changes) {
      if (account) accounts.set(id, account);
      else accounts.delete(id);
      history.setAccount(id, { ledger: ledger.sequence, account });
    }
    ledgers.push(ledger);
    for (const transaction of ledger.transactions) history.add(transaction);
    return ledger;
  }

  function next(envelopes: Envelope[], header: Header): Ledger {
    const previous = ledgers.at(-1);
    const sequence = (previous?.sequence ?? 0) + 1;
    const previousHash = previous?.hash ?? '0'.repeat(64);
    const content = [previousHash, sequence, header.closedAt.getTime(), ...envelopes.map(({ hash }) => hash)];
    return {
      ...header,
      sequence,
      hash: createHash('sha256').update(content.join()).digest('hex'),
      previousHash,
      feePool: previous?.feePool ?? 0n,
      transactions: [],
    };
  }

  return {
    ledgers,
    accounts,
    history,
    begin: (first, header) =>
      write(
        next([], header),
        first.map((account) => [account.id, account]),
      ),
    add(envelopes, header) {
      const ledger = next(envelopes, header);
      const base = { get: (id: string) => accounts.get(id) ?? null };
      return write(ledger, applyLedger(ledger, envelopes, base, baseReserve));
    },
  };
}
