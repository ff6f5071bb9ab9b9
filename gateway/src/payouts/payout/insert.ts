import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { payoutErrors } from './errors.ts';
import { type Payout, type PayoutId, type PayoutRow, payoutOf } from './payout.ts';
import { insertPayoutsSql } from './sql.ts';

/** Writes payouts that are new, each with its first move. Throws `payout_reference_exists`. */
export async function insertPayouts(tx: Tx, payouts: readonly Payout[], now: Date): Promise<Payout[]> {
  const input = payouts.map((payout) => ({
    id: payout.id,
    integration_id: payout.integrationId,
    mode: payout.mode,
    purpose: payout.purpose,
    cause_id: payout.causeId,
    status: payout.status,
    asset: payout.asset,
    units: payout.units.toString(),
    fee: payout.fee.toString(),
    rail: payout.rail,
    debit_kind: payout.debit.kind,
    debit_owner: payout.debit.owner,
    credit_kind: payout.outside.kind,
    credit_owner: payout.outside.owner,
    hold_id: payout.holdId,
    fee_hold_id: payout.feeHoldId,
    destination: payout.to,
    memo: payout.memo,
    reference: payout.reference,
    description: payout.description,
    approvals_needed: payout.approvalsNeeded,
    operator_approvals_needed: payout.operatorApprovalsNeeded,
    requested_by: payout.requestedBy,
    requester: payout.requester,
    together: payout.together,
  }));
  const { rows } = await tx.query<PayoutRow>(insertPayoutsSql, [JSON.stringify(input), now]);
  if (rows.length < payouts.length) throw refuse(payoutErrors.payout_reference_exists);
  const found = new Map(rows.map((row) => [row.id, payoutOf(row)]));
  return payouts.map(({ id }) => writtenOf(found, id));
}

function writtenOf(found: ReadonlyMap<PayoutId, Payout>, id: PayoutId): Payout {
  const payout = found.get(id);
  if (!payout) throw new Error(`Payout ${id} was not written`);
  return payout;
}
