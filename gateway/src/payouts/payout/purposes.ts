import type { Action } from '../../identity/keys/guards.ts';
import type { Owner } from '../../identity/owner.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import type { Party } from '../../ledger/accounts.ts';
import type { HoldTerms } from '../../ledger/holds.ts';
import type { Payout, PayoutStatus, PurposeName } from './payout.ts';

/** A payout that has just moved, as it is now. */
export type Moved = { payout: Payout; from: PayoutStatus };

/** What a payout carries, such as a refund, and that payout; null where none carries it now. */
export type Carried = { payoutId: string | null; status: string };

/** What a purpose adds to its payouts; whoever orders them makes it. */
export type Purpose = HoldTerms & {
  /** The cause of what the ledger books for the amount. */
  cause: string;
  /** They may be ordered while payouts are stopped, since each waits for an approval, which cannot be given then. */
  ignoresStop?: true;
  /** Locks what payouts belong to, before the payouts: whatever locks both does so in this order. */
  lockCauses?: (tx: Tx, causeIds: readonly string[]) => Promise<void>;
  /** Called after each move, in its transaction. */
  moved?: (tx: Tx, moved: readonly Moved[], now: Date) => Promise<void>;
  /** The status that a payout to a wallet gets at once after `queued`. Absent: `completed`, since the ledger moves it. */
  afterQueued?: 'completed' | 'sending';
  /**
   * Called in place of `moved` when money left after its payout had ended unpaid (now `completed`), or when that money
   * came back. Returns the account that pays for it, or gets it back; absent: the payout's own account.
   */
  late?: (tx: Tx, moved: Moved, now: Date) => Promise<Party>;
  /** The references of the payments that payouts belong to, by their ids, for whoever approves them. */
  paymentReferences?: (reader: Reader, causeIds: readonly string[]) => Promise<Map<string, string>>;
  /** What a key needs to see, cancel or play its payouts, beside the right of the call. */
  right?: Action;
  /** How test mode finds its payouts by the id of what they carry. */
  findCarried?: (reader: Reader, owner: Owner, id: string) => Promise<Carried | null>;
};

/** The purposes of an installation; one that nobody added cannot be ordered. */
export type Purposes = { readonly [Name in PurposeName]?: Purpose };

/** Payouts that merchants order out of the business balance. */
export const merchantPayout: Purpose = { cause: 'payout' };

export function purposeOf(purposes: Purposes, name: PurposeName): Purpose {
  const purpose = purposes[name];
  if (!purpose) throw new Error(`Nothing orders payouts of purpose ${name}`);
  return purpose;
}
