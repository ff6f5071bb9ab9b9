import type { Account } from './accounts.ts';
import type { Envelope, EnvelopeOperation, Party } from './envelope.ts';
import type { Codes } from './results.ts';

export type Ledger = {
  sequence: number;
  /** Hex. */
  hash: string;
  previousHash: string;
  /** Whole seconds, as the network counts them. */
  closedAt: Date;
  baseFee: bigint;
  feePool: bigint;
  transactions: LedgerTransaction[];
};

/** A transaction that is in a ledger, whether it succeeded or not. */
export type LedgerTransaction = {
  token: bigint;
  ledger: Ledger;
  envelope: Envelope;
  successful: boolean;
  feeCharged: bigint;
  codes: Codes;
  resultXdr: string;
  operations: LedgerOperation[];
};

export type LedgerOperation = EnvelopeOperation & {
  token: bigint;
  transaction: LedgerTransaction;
  /** Accounts that it concerns. */
  accounts: string[];
  /** Only of path payments: what left the source, and what arrived. */
  amounts: { sent: bigint; delivered: bigint } | null;
  effects: Effect[];
};

/** What an operation did to one account, as Horizon tells it. */
export type Effect = { party: Party; type: string; typeI: number; fields: Record<string, unknown> };

/** An account over time: null once it was merged. */
export type AccountState = { ledger: number; account: Account | null };

const transactionBits = 12n;
const ledgerBits = 32n;

/** Place of a transaction (operation 0) or operation (from 1) in the history: order begins at 1. */
export function tokenOf(ledger: number, order: number, operation: number): bigint {
  return (BigInt(ledger) << ledgerBits) | (BigInt(order) << transactionBits) | BigInt(operation);
}

/** The last token that a ledger may have. */
export function lastTokenOf(ledger: number): bigint {
  return (BigInt(ledger + 1) << ledgerBits) - 1n;
}
