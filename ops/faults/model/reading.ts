import type { Mode } from '../world/world.ts';
import type { Split } from './own-address.ts';

// What the model is told of the world at one moment. Amounts are in units of 18 decimals.

/** Money that came to an address by its chain, as the chain has it now. */
export type Came = {
  /** An asset code, or `strange`. */
  asset: string;
  from: string;
  to: string;
  memo: string | null;
  fine: bigint;
  /** When its block says that it was taken, and the number of that; null: its network has no blocks that may go. */
  atMs: number;
  block: number | null;
};

/** A payment as `GET /payments/{payment_reference}` has it. */
export type PaymentRead = {
  payment_reference: string;
  amount: string;
  currency: string;
  payment_status: string;
  reason: string | null;
  amount_due: string | null;
  amount_received: string | null;
  settlement?: string;
  service_fee: string;
  deadline: string;
  customer_reference: string | null;
  quote?: { currency: string; amount: string; rate: string } | null;
  refunds: RefundRead[];
};

export type RefundRead = {
  id: string;
  status: string;
  asset: string;
  amount: string;
  to: string | null;
  created_at: string;
};

export type PayoutRead = {
  id: string;
  payout_reference: string | null;
  status: string;
  asset: string;
  amount: string;
  fee: string;
  to: string;
};

export type EventRead = {
  event_id: string;
  event_type: string;
  payment_reference: string;
  payout_reference: string;
  sequence: number;
  body: string;
};

/** Available and held by asset code. */
export type Purse = Map<string, { available: bigint; held: bigint }>;

/** What `florin reserves --json` says of one asset. */
export type ReserveRead = {
  asset: string;
  owed: { business: string; wallets: string; customers: string; fees: string; suspense: string };
  held: { addresses: string; treasury: string; vault: string };
  difference: string;
};

export type BooksRead = {
  /** What `florin audit --json` found, and what it found in the hash chain. */
  findings: string[];
  reserves: ReserveRead[];
  /** Assets whose network could not be asked. */
  missing: string[];
};

/** A transfer of a listed token from or to an address of direct settlement, in the token's units and in fine ones. */
export type Moved = {
  transaction: string;
  asset: string;
  from: string;
  to: string;
  units: bigint;
  fine: bigint;
};

/** What the chain and the dashboard say of direct settlements. Addresses are in lower case. */
export type DirectRead = {
  /** The deposit addresses of this seed's payments, with whom they lead to by what their merchant knows. */
  deposits: Map<string, Split>;
  /** Those of all addresses of the merchant's own. */
  splits: Split[];
  /** What was shown for a direct payment and follows from none of them. */
  strange: { reference: string; address: string }[];
  /** Since the seed began. */
  moves: Moved[];
  /** Of each asset what the own addresses and the host's hold together. */
  held: Map<string, bigint>;
  /** Of each asset what the dashboard says is on the way to both sides; null: it was not answered. */
  onTheWay: Map<string, bigint> | null;
};

/** How an objection ends that a later sweep may answer. */
export const notReleased = 'is still on the way';

export type Reading = {
  /** The world's clock. */
  nowMs: number;
  payments: Map<string, PaymentRead>;
  /** By the id. */
  payouts: Map<string, PayoutRead>;
  /** By merchant and mode, such as `merchant-1 live`. */
  events: Map<string, EventRead[]>;
  balances: Map<string, Purse>;
  /** By user and mode, such as `john_doe live`. */
  wallets: Map<string, Purse>;
  came: Came[];
  /** Of each asset on the chain: what treasury, vault and all addresses that people were shown hold. */
  held: Map<string, bigint>;
  /** Null where nobody settles directly. */
  direct: DirectRead | null;
  /** Null where they were not asked for. */
  books: BooksRead | null;
};

/** Who is meant in the maps of a reading. */
export const whoOf = (merchant: string, mode: Mode): string => `${merchant} ${mode}`;

/** The currency of an asset code: `usdc-bep20` is USDC on a network. */
export const currencyOf = (asset: string): string => asset.replace(/-.*$/, '').toUpperCase();
