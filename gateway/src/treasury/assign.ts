import type { Mode } from '../identity/integration.ts';
import type { Tx } from '../kit/db/db.ts';
import { kitErrors, refuse } from '../kit/errors.ts';
import { newId } from '../kit/ids.ts';
import { postAll, type Transfer } from '../ledger/ledger.ts';
import { operatorOf } from '../ledger/places.ts';
import { coverShortage } from '../ledger/receivable.ts';
import { treasuryErrors } from './errors.ts';
import { matchOrders } from './orders.ts';

/** Whose money left: the operator's own, or the money of a business (an integration) or of a user. */
export type MoveOwner = { kind: 'operator' } | { kind: 'business' | 'user'; id: string };

/** Whose money an operator decided that it was, and why. */
export type Decision = { owner: MoveOwner; accountId: string; reason: string };

/** Money that left a treasury or vault, in its asset's units. */
export type LeftMove = {
  mode: Mode;
  rail: string;
  transaction: string;
  asset: string;
  units: bigint;
  target: string;
  state: 'final' | 'gone';
  payout_id: string | null;
  owner_kind: string | null;
};

/**
 * Assigns money that left without an order to its owner, and debits the owner; a business owes what its balance does
 * not cover. Nothing is booked for the operator, whose account outside has it already. Throws `not_found`,
 * `move_decided` where it was assigned before or a payout ordered it, and `user_short` for a user who has less.
 */
export async function assignMove(
  tx: Tx,
  ledgerId: string,
  { owner, accountId, reason }: Decision,
  now: Date,
): Promise<LeftMove> {
  await matchOrders(tx);
  const { rows } = await tx.query<LeftMove>(
    `SELECT mode, rail, transaction, asset, units, target, state, payout_id, owner_kind FROM treasury_moves
     WHERE ledger_id = $1 FOR UPDATE`,
    [ledgerId],
  );
  const move = rows[0];
  if (move?.target !== 'operator' || move.state !== 'final') throw refuse(kitErrors.not_found);
  if (move.payout_id !== null || move.owner_kind !== null) throw refuse(treasuryErrors.move_decided);
  const transfers =
    owner.kind === 'operator' ? [] : await transfersFrom(tx, owner, { ...move, ledgerId }, now);
  await postAll(tx, transfers, now);
  await tx.query(
    `UPDATE treasury_moves SET owner_kind = $2, owner_id = $3, booked_as = $4, decided_at = $5, decided_by = $6,
       reason = $7
     WHERE ledger_id = $1`,
    [
      ...[ledgerId, owner.kind, owner.kind === 'operator' ? null : owner.id, transfers.map(({ id }) => id)],
      ...[now, accountId, reason],
    ],
  );
  return move;
}

async function transfersFrom(
  tx: Tx,
  owner: Exclude<MoveOwner, { kind: 'operator' }>,
  { ledgerId, mode, rail, asset, units }: LeftMove & { ledgerId: string },
  now: Date,
): Promise<Transfer[]> {
  const transfer: Transfer = {
    id: newId(now),
    mode,
    asset,
    units,
    debit: { kind: owner.kind, owner: owner.id },
    credit: operatorOf(rail),
    cause: 'outflow_assigned',
    causeId: ledgerId,
  };
  if (owner.kind === 'user') {
    const { rows } = await tx.query(
      `SELECT FROM ledger_accounts
       WHERE kind = 'user' AND owner = $1 AND mode = $4 AND asset = $2 AND balance - held >= $3 FOR UPDATE`,
      [owner.id, asset, units, mode],
    );
    if (rows.length === 0) throw refuse(treasuryErrors.user_short);
    return [transfer];
  }
  return await coverShortage(tx, { owner: owner.id, mode }, [transfer], now);
}
