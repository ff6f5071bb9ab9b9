import type { Mode } from '../../identity/integration.ts';
import { after, type Clock } from '../../kit/clock.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { invalid, isCleanText } from '../../kit/http/fields.ts';
import { isUuid, newId } from '../../kit/ids.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import { assertUsable, comparable, restSeconds } from '../../payouts/rules/addresses.ts';
import type { Sending } from '../../rails/rail.ts';
import { walletErrors } from '../errors.ts';
import { recordNotices } from '../notices.ts';
import { lockUser } from '../standing.ts';
import type { UserId } from '../users.ts';

/** An address to which a user withdraws, with the memo that belongs to it. */
export type WithdrawalAddress = {
  id: string;
  mode: Mode;
  address: string;
  memo: string | null;
  label: string;
  createdAt: Date;
  /** From then on it may be used. */
  usableAt: Date;
};

/** An address as its user gives it; `asset` is what is to be sent there first, whose network judges it. */
export type NewAddress = { mode: Mode; asset: string; address: string; memo: string | null; label: string };

export type AddressDeps = {
  /** What is wrong with a destination, by mode. */
  faultOf: (mode: Mode) => Sending['faultOf'];
  /** Whether a withdrawal needs a second factor, and a new address rests. */
  checks: boolean;
};

const mostAddresses = 200;
const columns = `id, mode, address, memo, label, created_at AS "createdAt", usable_at AS "usableAt"`;

/** A user's address book of a mode, by label. */
export async function withdrawalAddresses(
  reader: Reader,
  userId: UserId,
  mode: Mode,
): Promise<WithdrawalAddress[]> {
  const { rows } = await reader.query<WithdrawalAddress>(
    `SELECT ${columns} FROM withdrawal_addresses
     WHERE user_id = $1 AND mode = $2 AND removed_at IS NULL ORDER BY label, id LIMIT ${mostAddresses}`,
    [userId, mode],
  );
  return rows;
}

/**
 * Adds an address; it may be used after a day, or at once where the operator turned the checks off. The user is told.
 * Throws a field's fault, `wallet_frozen`, `address_known`, `address_book_full`.
 */
export async function addWithdrawalAddress(
  tx: Tx,
  { faultOf, checks, now: clock }: AddressDeps & { now: Clock },
  userId: UserId,
  { mode, asset, address: to, memo, label }: NewAddress,
): Promise<WithdrawalAddress> {
  const now = clock();
  if (!isCleanText(label) || label.trim() === '' || label.length > 60) {
    throw invalid('label', 'must have 1 to 60 characters');
  }
  const fault = faultOf(mode)({ asset, to, memo });
  if (fault) throw invalid(fault.field, fault.why);
  // One at a time: the book has a last place.
  const { isFrozen } = await lockUser(tx, userId);
  if (isFrozen) throw refuse(walletErrors.wallet_frozen);
  const known = await withdrawalAddresses(tx, userId, mode);
  if (known.length >= mostAddresses) throw refuse(walletErrors.address_book_full);
  const { rows } = await tx.query<WithdrawalAddress>(
    `INSERT INTO withdrawal_addresses (id, user_id, mode, address, memo, label, created_at, usable_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING ${columns}`,
    [
      ...[newId(now), userId, mode, comparable(to), memo, label.trim()],
      ...[now, checks ? after(now, restSeconds) : now],
    ],
  );
  const [added] = rows;
  if (!added) throw refuse(payoutErrors.address_known);
  await recordNotices(tx, [{ userId, mode, kind: 'address_added', other: to, aboutId: added.id }], now);
  return added;
}

/** Takes an address out of a user's book. Throws `not_found`. */
export async function removeWithdrawalAddress(tx: Tx, userId: UserId, id: string, now: Date): Promise<void> {
  const found = isUuid(id)
    ? await tx.query(
        `UPDATE withdrawal_addresses SET removed_at = $3
         WHERE id = $1 AND user_id = $2 AND removed_at IS NULL`,
        [id, userId, now],
      )
    : null;
  if (!found?.rowCount) throw refuse(kitErrors.not_found);
}

/** Refuses a destination that is not in the user's book, or still rests. Throws `address_unknown`, `address_rests`. */
export async function assertRested(
  tx: Tx,
  userId: UserId,
  { mode, to, memo }: { mode: Mode; to: string; memo: string | null },
  now: Date,
): Promise<void> {
  const { rows } = await tx.query<{ usable_at: Date }>(
    `SELECT usable_at FROM withdrawal_addresses
     WHERE user_id = $1 AND mode = $2 AND address = $3 AND memo IS NOT DISTINCT FROM $4 AND removed_at IS NULL`,
    [userId, mode, comparable(to), memo],
  );
  assertUsable(rows[0], now);
}
