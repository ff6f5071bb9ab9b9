import type { Refusal } from '../../kit/errors.ts';
import type { Asset } from '../../money/assets.ts';
import type { ReusableOwner } from '../../rails/owner.ts';

/** What comes to the reusable addresses of one kind of owner: top-ups of businesses, or deposits of users. */
export type ArrivalKind = {
  /** The owners, as rails know them. */
  owner: ReusableOwner['kind'];
  /** The account of the owner that gets it. */
  account: 'business' | 'user';
  /** The cause of its ledger transfers. */
  cause: string;
  /** The tables of what came, and of the assets for which an owner asked for an address. */
  tables: { arrivals: string; addresses: string };
  /** The column of both that names the owner. */
  ownerColumn: string;
  /** The refusal of an address whose network has not been read yet. */
  unread: (asset: Asset) => Refusal;
};
