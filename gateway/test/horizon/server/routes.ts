import { StrKey } from '@stellar/stellar-sdk';
import type { LedgerCore } from '../core/core.ts';
import type { Events } from '../core/history.ts';
import { type Ledger, type LedgerOperation, type LedgerTransaction, tokenOf } from '../core/ledger.ts';
import { accountJson } from '../views/account.ts';
import { feeStatsJson, ledgerJson, rootJson } from '../views/ledger.ts';
import type { Json, Links } from '../views/links.ts';
import { operationJson } from '../views/operation.ts';
import { transactionJson } from '../views/transaction.ts';
import { type Feed, feedOver } from './feed.ts';
import { eventsOf, listOf } from './lists.ts';
import { type Answer, badRequest, notFound } from './problems.ts';
import type { ListQuery } from './query.ts';

/** What an address stands for: a document, or a list. */
export type Found = { document: (links: Links) => Json } | { feed: Feed } | Answer;

type Scene = { core: LedgerCore; head: number; path: string; query: ListQuery };
type Route = (scene: Scene, ...parts: string[]) => Found;

const routes: [RegExp, Route][] = [
  [/^\/$/, ({ core, head }) => ({ document: (links) => rootJson(core.ledgers[head - 1]!, core, links) })],
  [/^\/fee_stats$/, ({ core, head }) => ({ document: () => feeStatsJson(core.ledgers[head - 1]!, core) })],
  [/^\/accounts\/([^/]+)$/, findAccount],
  [/^\/accounts\/([^/]+)\/data\/([^/]+)$/, findData],
  [/^\/accounts\/([^/]+)\/(payments|operations|transactions|effects)$/, findOfAccount],
  [/^\/transactions\/([^/]+)$/, findTransaction],
  [/^\/transactions\/([^/]+)\/(payments|operations|effects)$/, findOfTransaction],
  [/^\/operations\/(\d{1,19})$/, findOperation],
  [/^\/operations\/(\d{1,19})\/effects$/, findEffectsOfOperation],
  [/^\/ledgers\/(\d{1,9})$/, findLedger],
  [/^\/ledgers\/(\d{1,9})\/(payments|operations|transactions|effects)$/, findOfLedger],
  [/^\/ledgers$/, findLedgers],
  [
    /^\/(payments|operations|transactions|effects)$/,
    (scene, list) => listIn(scene, scene.core.history.all, list!),
  ],
];

/** Finds what a path stands for, as a Horizon knows it that has ledgers up to `head`. */
export function findRoute(scene: Scene): Found {
  for (const [pattern, route] of routes) {
    const match = pattern.exec(scene.path);
    if (match) return route(scene, ...match.slice(1));
  }
  return notFound();
}

function listIn({ path, query }: Scene, events: Events, list: string, account?: string): Found {
  return { feed: listOf(path, list, events, { ...query, ...(account !== undefined && { account }) }) };
}

const noAccount = (): Answer =>
  badRequest('account_id', 'Account ID must start with `G` and contain 56 alphanum characters');

function findAccount({ core, head }: Scene, id = ''): Found {
  if (!StrKey.isValidEd25519PublicKey(id)) return noAccount();
  const account = core.history.accountAt(id, head);
  return account ? { document: (links) => accountJson(account, core.ledgers, links) } : notFound();
}

function findData({ core, head }: Scene, id = '', key = ''): Found {
  const value = core.history.accountAt(id, head)?.data[decodeURIComponent(key)];
  return value === undefined ? notFound() : { document: () => ({ value }) };
}

function findOfAccount(scene: Scene, id = '', list = ''): Found {
  if (!StrKey.isValidEd25519PublicKey(id)) return noAccount();
  const events = scene.core.history.of(id);
  return events ? listIn(scene, events, list, id) : notFound();
}

function transactionAt({ core, head }: Scene, hash: string): LedgerTransaction | null {
  const transaction = core.history.transaction(hash);
  return transaction && transaction.ledger.sequence <= head ? transaction : null;
}

function findTransaction(scene: Scene, hash = ''): Found {
  if (!/^[0-9a-f]{64}$/.test(hash)) {
    return badRequest('tx_id', 'Transaction hash must be a hex-encoded, lowercase SHA-256 hash');
  }
  const transaction = transactionAt(scene, hash);
  return transaction ? { document: (links) => transactionJson(transaction, links) } : notFound();
}

function findOfTransaction(scene: Scene, hash = '', list = ''): Found {
  const transaction = transactionAt(scene, hash);
  if (!transaction) return notFound();
  // Of one transaction, all is told, whether it succeeded or not.
  const query = { ...scene.query, includeFailed: true };
  return listIn({ ...scene, query }, eventsOf([transaction]), list);
}

function operationAt({ core, head }: Scene, id: string): LedgerOperation | null {
  const operation = core.history.operation(BigInt(id));
  return operation && operation.transaction.ledger.sequence <= head ? operation : null;
}

function findOperation(scene: Scene, id = ''): Found {
  const operation = operationAt(scene, id);
  return operation ? { document: (links) => operationJson(operation, links, scene.query.join) } : notFound();
}

function findEffectsOfOperation(scene: Scene, id = ''): Found {
  const operation = operationAt(scene, id);
  return operation
    ? listIn(scene, { transactions: [], payments: [], operations: [operation] }, 'effects')
    : notFound();
}

function ledgerAt({ core, head }: Scene, sequence: string): Ledger | null {
  const number = Number(sequence);
  return number <= head ? (core.ledgers[number - 1] ?? null) : null;
}

function findLedger(scene: Scene, sequence = ''): Found {
  const ledger = ledgerAt(scene, sequence);
  return ledger ? { document: (links) => ledgerJson(ledger, scene.core, links) } : notFound();
}

function findOfLedger(scene: Scene, sequence = '', list = ''): Found {
  const ledger = ledgerAt(scene, sequence);
  return ledger ? listIn(scene, eventsOf(ledger.transactions), list) : notFound();
}

function findLedgers({ core, path }: Scene): Found {
  const keyOf = ({ sequence }: Ledger) => tokenOf(sequence, 0, 0);
  return {
    feed: feedOver(path, core.ledgers, {
      keyOf,
      cursorOf: (ledger) => keyOf(ledger).toString(),
      json: (ledger, links) => ledgerJson(ledger, core, links),
    }),
  };
}
