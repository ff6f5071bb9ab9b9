import type { Mode } from '../identity/integration.ts';
import type { Reader } from '../kit/db/db.ts';
import type { AssetCode } from '../money/money.ts';

/** What merchants are told of direct settlement, where a chain has an address for the host's part. */
export const directTerms = ['offered', 'asked', 'required'] as const;
export type DirectTerms = (typeof directTerms)[number];

/**
 * Where the money of an integration's payments goes without passing the gateway: its own address for each asset that has
 * one, and the host's part in basis points.
 */
export type OwnAddresses = {
  integrationId: string;
  basisPoints: number;
  addresses: Readonly<Record<AssetCode, string>>;
};

/** How payments find the addresses of their merchants. */
export type DirectSettlement = {
  /** Whether an asset without an address of the merchant's own is not offered. */
  isRequired: boolean;
  /** Those in force of the integrations of these payments, by the payment; one of which none is known is left out. */
  ownAddressesOf(reader: Reader, paymentIds: readonly string[]): Promise<ReadonlyMap<string, OwnAddresses>>;
};

/** What arrived at hosts' own addresses since a time, by asset and month (UTC, `2026-03`). */
export type HostParts = (
  reader: Reader,
  mode: Mode,
  since: Date,
) => Promise<{ asset: AssetCode; month: string; units: bigint }[]>;

/** Money that left the addresses of direct settlement, or came there and pays nothing; `gone`: a reorg took that back. */
export type DirectMove = {
  rail: string;
  /** Its name for good. */
  moveId: string;
  integrationId: string;
  transaction: string;
  block: number;
  asset: AssetCode;
  units: bigint;
  /** Who has it now; `given`: somebody sent it there. */
  to: 'merchant' | 'host' | 'given';
  sender: string;
  receiver: string;
  /** When its chain took it. */
  at: Date;
  state: 'final' | 'gone';
};

/** Where a token is, and the newest block of its chain that was read. */
export type TokenPlace = { chainId: number; token: string; after: bigint };

/** A transfer out of a merchant's own address, in a final block; addresses are in lower case. */
export type OwnTransfer = {
  /** Its name for good, whatever block it is in. */
  key: string;
  block: bigint;
  transaction: string;
  token: string;
  from: string;
  to: string;
  units: bigint;
};

/** An address of a payment on an EVM chain, and by what it follows (CREATE2, EIP-1014). Addresses have their checksums. */
export type Derivation = {
  asset: AssetCode;
  chainId: number;
  address: string;
  factory: string;
  initCodeHash: string;
  salt: string;
  /** Where the factory moves what comes there: a treasury, or the splitter of `split`. */
  destination: string;
  split: { merchant: string; host: string; basisPoints: number } | null;
};
