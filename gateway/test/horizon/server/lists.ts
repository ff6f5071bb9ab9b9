import { type Events, isPayment } from '../core/history.ts';
import type { Effect, LedgerOperation, LedgerTransaction } from '../core/ledger.ts';
import { effectJson } from '../views/effect.ts';
import { operationJson } from '../views/operation.ts';
import { transactionJson } from '../views/transaction.ts';
import { type Feed, feedOver } from './feed.ts';
import type { ListQuery } from './query.ts';

type ListOptions = Pick<ListQuery, 'includeFailed' | 'join'> & {
  /** Only the effects on this account. */
  account?: string;
};

// An operation has far fewer effects than this has room for.
const effectBits = 16n;

/** One of the lists of what happened, by the name that ends its address. */
export function listOf(path: string, list: string, events: Events, options: ListOptions): Feed {
  if (list === 'transactions') return transactionList(path, events.transactions, options);
  if (list === 'effects') return effectList(path, events.operations, options.account);
  return operationList(path, list === 'payments' ? events.payments : events.operations, options);
}

/** What is in some transactions, as lists. */
export function eventsOf(transactions: LedgerTransaction[]): Events {
  const operations = transactions.flatMap((transaction) => transaction.operations);
  return { transactions, operations, payments: operations.filter(isPayment) };
}

function transactionList(
  path: string,
  entries: readonly LedgerTransaction[],
  { includeFailed }: ListOptions,
): Feed {
  return feedOver(path, entries, {
    keyOf: ({ token }) => token,
    cursorOf: ({ token }) => token.toString(),
    isShown: ({ successful }) => successful || includeFailed,
    json: transactionJson,
  });
}

function operationList(
  path: string,
  entries: readonly LedgerOperation[],
  { includeFailed, join }: ListOptions,
): Feed {
  return feedOver(path, entries, {
    keyOf: ({ token }) => token,
    cursorOf: ({ token }) => token.toString(),
    isShown: ({ transaction }) => transaction.successful || includeFailed,
    json: (operation, links) => operationJson(operation, links, join),
  });
}

type NumberedEffect = { operation: LedgerOperation; number: number; effect: Effect };

function effectList(path: string, operations: readonly LedgerOperation[], account?: string): Feed {
  const entries = operations.flatMap((operation) =>
    operation.effects.map((effect, at): NumberedEffect => ({ operation, number: at + 1, effect })),
  );
  return feedOver(path, entries, {
    keyOf: ({ operation, number }) => (operation.token << effectBits) + BigInt(number),
    cursorOf: ({ operation, number }) => `${operation.token}-${number}`,
    isShown: ({ effect }) => account === undefined || effect.party.account === account,
    json: ({ operation, number, effect }, links) => effectJson(operation, number, effect, links),
    shift: effectBits,
  });
}
