import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import { smallNumber } from '../../money/small-number.ts';
import type { Carried } from '../../payouts/payout/purposes.ts';
import type { PaymentId } from '../payment/payment.ts';
import type { AskedTransfer, Refund, RefundId, RefundStatus } from './refund.ts';

// How refunds are kept: those that payouts carry, and those that merchants send from their own addresses.

/** What both tables have of a refund. */
type SharedRow = {
  id: RefundId;
  payment_id: PaymentId;
  status: RefundStatus;
  asset: string;
  units: bigint;
  from_overpayment: bigint;
  from_business: bigint;
  from_suspense: bigint;
  is_owed: boolean;
  made_by: string | null;
  destination: string | null;
  reason: string | null;
  transaction: string | null;
  failure: string | null;
  announced_at: Date | null;
  link_mailed_at: Date | null;
  link_mailed_to: string | null;
  proved_by: string | null;
  proof_statement: string | null;
  proof_signature: string | null;
  created_at: Date;
  completed_at: Date | null;
};

type RefundRow = SharedRow & {
  from_fees: bigint;
  needs_approval: boolean;
  together: string | null;
  payout_id: string | null;
  memo: string | null;
  wallet: string | null;
  held_up: string | null;
};

type DirectRow = SharedRow & {
  chain_id: bigint | null;
  token: string | null;
  sender: string | null;
  after: bigint | null;
  answered_by: string | null;
};

function sharedOf(row: SharedRow, fees: bigint) {
  return {
    id: row.id,
    paymentId: row.payment_id,
    status: row.status,
    asset: row.asset,
    units: row.units,
    parts: {
      overpayment: row.from_overpayment,
      business: row.from_business,
      fees,
      suspense: row.from_suspense,
    },
    isOwed: row.is_owed,
    madeBy: row.made_by,
    to: row.destination,
    reason: row.reason,
    transaction: row.transaction,
    failure: row.failure,
    announcedAt: row.announced_at,
    linkMailedAt: row.link_mailed_at,
    linkMailedTo: row.link_mailed_to,
    proof: proofOf(row),
    createdAt: row.created_at,
    completedAt: row.completed_at,
  };
}

const refundOf = (row: RefundRow): Refund => ({
  ...sharedOf(row, row.from_fees),
  ...{ isDirect: false, transfer: null, answeredBy: null },
  needsApproval: row.needs_approval,
  together: row.together,
  payoutId: row.payout_id,
  memo: row.memo,
  wallet: row.wallet,
  heldUp: row.held_up,
});

const directOf = (row: DirectRow): Refund => ({
  ...sharedOf(row, 0n),
  ...{ isDirect: true, transfer: askedOf(row), answeredBy: row.answered_by },
  ...{ needsApproval: false, together: null, payoutId: null, memo: null, wallet: null, heldUp: null },
});

function proofOf({ proved_by, proof_statement, proof_signature }: SharedRow): Refund['proof'] {
  if (proved_by === null || proof_statement === null || proof_signature === null) return null;
  return { provedBy: proved_by, statement: proof_statement, signature: proof_signature };
}

function askedOf({ chain_id, token, sender: from, after }: DirectRow): AskedTransfer | null {
  if (chain_id === null || token === null || from === null || after === null) return null;
  return { chainId: smallNumber(chain_id), token, from, after };
}

const selectRefunds = `SELECT r.*, o.held_up FROM payment_refunds r LEFT JOIN payouts o ON o.id = r.payout_id`;

function sharedRecordOf(refund: Refund) {
  const { parts, proof } = refund;
  return {
    id: refund.id,
    payment_id: refund.paymentId,
    status: refund.status,
    asset: refund.asset,
    units: refund.units.toString(),
    from_overpayment: parts.overpayment.toString(),
    from_business: parts.business.toString(),
    from_suspense: parts.suspense.toString(),
    is_owed: refund.isOwed,
    made_by: refund.madeBy,
    destination: refund.to,
    reason: refund.reason,
    transaction: refund.transaction,
    failure: refund.failure,
    announced_at: refund.announcedAt,
    proved_by: proof?.provedBy ?? null,
    proof_statement: proof?.statement ?? null,
    proof_signature: proof?.signature ?? null,
    created_at: refund.createdAt,
    completed_at: refund.completedAt,
  };
}

/** A refund as a record of the JSON that the statement which writes refunds reads. */
export const refundRecordOf = (refund: Refund) => ({
  ...sharedRecordOf(refund),
  from_fees: refund.parts.fees.toString(),
  needs_approval: refund.needsApproval,
  together: refund.together,
  payout_id: refund.payoutId,
  memo: refund.memo,
  wallet: refund.wallet,
});

/** A refund of money at a merchant's own address, for the statement which writes those. */
export const directRecordOf = (refund: Refund) => ({
  ...sharedRecordOf(refund),
  chain_id: refund.transfer?.chainId ?? null,
  token: refund.transfer?.token ?? null,
  sender: refund.transfer?.from ?? null,
  after: refund.transfer?.after.toString() ?? null,
  answered_by: refund.answeredBy,
});

/** The refunds of a payment, in the order in which they were made. */
export async function refundsOf(reader: Reader, paymentId: string): Promise<Refund[]> {
  return await refundsOfAll(reader, [paymentId]);
}

/** The same of many payments. */
export async function refundsOfAll(reader: Reader, paymentIds: readonly string[]): Promise<Refund[]> {
  const { rows } = await reader.query<RefundRow>(
    `${selectRefunds} WHERE r.payment_id = ANY ($1) ORDER BY r.created_at, r.id`,
    [paymentIds],
  );
  const direct = await reader.query<DirectRow>('SELECT * FROM direct_refunds WHERE payment_id = ANY ($1)', [
    paymentIds,
  ]);
  if (direct.rows.length === 0) return rows.map(refundOf);
  return [...rows.map(refundOf), ...direct.rows.map(directOf)].sort(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1),
  );
}

/** A refund of a payment by its id; undefined: it has no such refund. */
export async function findRefund(
  reader: Reader,
  paymentId: string,
  refundId: string,
): Promise<Refund | undefined> {
  return (await refundsOf(reader, paymentId)).find(({ id }) => id === refundId);
}

/** The payout that carries a refund of an owner, and the refund's status; null: the owner has no such refund. */
export async function carriedRefund(
  reader: Reader,
  { integrationId, mode }: Owner,
  id: string,
): Promise<Carried | null> {
  const { rows } = await reader.query<Pick<RefundRow, 'payout_id' | 'status'>>(
    `SELECT r.payout_id, r.status FROM payment_refunds r JOIN payments p ON p.id = r.payment_id
     WHERE r.id = $1 AND p.integration_id = $2 AND p.mode = $3`,
    [id, integrationId, mode],
  );
  return rows[0] ? { payoutId: rows[0].payout_id, status: rows[0].status } : null;
}
