import type { Reader, Tx } from '../../kit/db/db.ts';
import { type BookedArrival, postArrival } from '../../payouts/top-ups/book.ts';
import type { Arrival } from '../../rails/owner.ts';
import { recordNotices } from '../notices.ts';
import type { UserId } from '../users.ts';

// When the same state is reported again, neither of these finds a row.
const becameFinalSql = `
INSERT INTO wallet_deposits AS d
  (ledger_id, user_id, rail, key, transaction, asset, units, sender, state, at, booked_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'final', $9, $10)
ON CONFLICT (ledger_id) DO UPDATE SET state = 'final', gone_at = NULL, units = excluded.units,
  bookings = d.bookings + 1
WHERE d.state = 'gone'
RETURNING bookings, units`;
const leftSql = `
UPDATE wallet_deposits SET state = 'gone', gone_at = $2 WHERE ledger_id = $1 AND state = 'final'
RETURNING bookings, units`;

/**
 * Books what came to an address of a user: all of it is theirs, also of a frozen one, and pays first what they owe. Where
 * the chain takes it back, it is taken from their balance; what they spent meanwhile they owe. Reported twice it is booked once. The
 * user is told.
 */
export async function bookDeposit(tx: Tx, arrival: Arrival, now: Date): Promise<void> {
  const { rail, key, ledgerId, owner, transaction, asset, units, sender, state, at } = arrival;
  const { rows } =
    state === 'final'
      ? await tx.query<BookedArrival>(becameFinalSql, [
          ...[ledgerId, owner.id, rail, key, transaction],
          ...[asset, units, sender, at, now],
        ])
      : await tx.query<BookedArrival>(leftSql, [ledgerId, now]);
  const [booked] = rows;
  if (!booked) return;
  await postArrival(tx, arrival, booked, { kind: 'user', cause: 'deposit' }, now);
  const kind = state === 'final' ? 'deposit' : 'deposit_gone';
  const about = { asset, units: booked.units, other: sender, aboutId: ledgerId };
  await recordNotices(tx, [{ userId: owner.id as UserId, mode: 'live', kind, ...about }], now);
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
