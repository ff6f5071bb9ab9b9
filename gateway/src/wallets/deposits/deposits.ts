import type { Reader, Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import type { BookedAt } from '../../ledger/ledger.ts';
import type { ArrivalKind } from '../../payouts/arrivals/arrival-kind.ts';
import { bookArrival } from '../../payouts/arrivals/book.ts';
import type { Arrival } from '../../rails/owner.ts';
import { walletErrors } from '../errors.ts';
import { recordNotices } from '../notices.ts';
import type { UserId } from '../users.ts';

/** Deposits at the own addresses of users; a frozen user gets them too. */
export const deposits: ArrivalKind = {
  owner: 'user',
  account: 'user',
  cause: 'deposit',
  tables: { arrivals: 'wallet_deposits', addresses: 'wallet_addresses' },
  ownerColumn: 'user_id',
  unread: ({ network }) => refuse(walletErrors.network_unread, { network }),
};

/** Books what came to an address of a user, once (`bookArrival`), and tells them. */
export async function bookDeposit(tx: Tx, arrival: Arrival, at: BookedAt): Promise<void> {
  const booking = await bookArrival(tx, deposits, arrival, at);
  if (!booking) return;
  const { ledgerId: aboutId, owner, asset, sender: other, state } = arrival;
  const kind = state === 'final' ? 'deposit' : 'deposit_gone';
  const about = { asset, units: booking.units, other, aboutId };
  await recordNotices(tx, [{ userId: owner.id as UserId, mode: at.mode, kind, ...about }], at.now);
}

/** What came to a user's own address. */
export type Deposit = {
  id: string;
  rail: string;
  transaction: string;
  asset: string;
  units: bigint;
  sender: string | null;
  state: 'final' | 'gone';
  at: Date;
};

/** Deposits by the ids that the ledger names as their cause, as a user's history shows them. */
export async function depositsById(reader: Reader, ids: readonly string[]): Promise<Map<string, Deposit>> {
  if (ids.length === 0) return new Map();
  const { rows } = await reader.query<Deposit>(
    `SELECT ledger_id AS id, rail, transaction, asset, units, sender, state, at FROM wallet_deposits
     WHERE ledger_id = ANY ($1)`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
