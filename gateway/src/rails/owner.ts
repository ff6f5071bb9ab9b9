import type { AssetCode } from '../money/money.ts';

/**
 * The owner of an address or memo. A payment's is for that payment only; the one of a top-up (owned by an integration)
 * or of a user is reusable, and watched for ever.
 */
export type Owner = { kind: 'payment' | 'top-up' | 'user'; id: string };
export type OwnerKind = Owner['kind'];
export type ReusableOwner = Owner & { kind: Exclude<OwnerKind, 'payment'> };

/** Money that came to a reusable address or memo (`final`), or that its chain took back (`gone`). */
export type Arrival = {
  rail: string;
  /** As `Observation.key`. */
  key: string;
  /** The ledger transfer that books it. */
  ledgerId: string;
  owner: ReusableOwner;
  transaction: string;
  asset: AssetCode;
  units: bigint;
  sender: string | null;
  state: 'final' | 'gone';
  /** When its chain took it. */
  at: Date;
};

/** An owner as one text: a payment's id, or another owner's id with its kind before it. */
export function ownerText({ kind, id }: Owner): string {
  return kind === 'payment' ? id : `${kind}:${id}`;
}

/** The owner of a text that `ownerText` wrote. */
export function ownerOf(text: string): Owner {
  const [kind, id] = text.split(':');
  return id !== undefined && (kind === 'top-up' || kind === 'user')
    ? { kind, id }
    : { kind: 'payment', id: text };
}
