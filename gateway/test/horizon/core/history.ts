import type { Account } from './accounts.ts';
import { destinationOf } from './envelope.ts';
import type { AccountState, LedgerOperation, LedgerTransaction } from './ledger.ts';

/** What happened, oldest first. */
export type Events = {
  transactions: LedgerTransaction[];
  operations: LedgerOperation[];
  /** The operations that may move money. */
  payments: LedgerOperation[];
};

export type History = {
  all: Events;
  /** Null for an account that was never seen. */
  of(account: string): Events | null;
  transaction(hash: string): LedgerTransaction | null;
  operation(token: bigint): LedgerOperation | null;
  /** The account as it was when that ledger had closed. */
  accountAt(id: string, ledger: number): Account | null;
  add(transaction: LedgerTransaction): void;
  setAccount(id: string, state: AccountState): void;
};

const paymentTypes = [
  'createAccount',
  'payment',
  'pathPaymentStrictReceive',
  'pathPaymentStrictSend',
  'accountMerge',
];

/** Everything that was in a ledger, as it is asked for. */
export function createHistory(): History {
  const all = noEvents();
  const events = new Map<string, Events>();
  const byHash = new Map<string, LedgerTransaction>();
  const byToken = new Map<bigint, LedgerOperation>();
  const states = new Map<string, AccountState[]>();
  const eventsOf = (account: string): Events => {
    const known = events.get(account) ?? noEvents();
    events.set(account, known);
    return known;
  };
  return {
    all,
    of: (account) => events.get(account) ?? null,
    transaction: (hash) => byHash.get(hash) ?? null,
    operation: (token) => byToken.get(token) ?? null,
    accountAt: (id, ledger) => states.get(id)?.findLast((state) => state.ledger <= ledger)?.account ?? null,
    add(transaction) {
      byHash.set(transaction.envelope.hash, transaction);
      const { operations, envelope } = transaction;
      const accounts = new Set([envelope.source.account, ...operations.flatMap((each) => each.accounts)]);
      for (const to of [all, ...[...accounts].map(eventsOf)]) to.transactions.push(transaction);
      for (const operation of operations) {
        byToken.set(operation.token, operation);
        for (const to of [all, ...operation.accounts.map(eventsOf)]) {
          to.operations.push(operation);
          if (isPayment(operation)) to.payments.push(operation);
        }
      }
    },
    setAccount(id, state) {
      const known = states.get(id);
      if (known) known.push(state);
      else states.set(id, [state]);
      eventsOf(id);
    },
  };
}

/** Whether an operation may move money, so that the lists of payments have it. */
export function isPayment({ record }: Pick<LedgerOperation, 'record'>): boolean {
  return paymentTypes.includes(record.type);
}

/** The accounts that an operation concerns, each once. */
export function accountsOf({ record, source }: Pick<LedgerOperation, 'record' | 'source'>): string[] {
  return [...new Set([source.account, destinationOf(record)?.account ?? source.account])];
}

const noEvents = (): Events => ({ transactions: [], operations: [], payments: [] });
