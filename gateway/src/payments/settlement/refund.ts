import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { Id } from '../../kit/ids.ts';
import type { Carried } from '../../payouts/payout/purposes.ts';
import type { PaymentId } from '../payment/payment.ts';

type RefundId = Id<'refund'>;

/**
 * A refund waits for its customer, and then has the statuses of the payout that carries it. One whose payout fails or is
 * rejected waits for its customer again, so that the last two are never stored (contract.md#refunds).
 */
export const refundStatuses = [
  'awaiting_destination',
  'awaiting_approval',
  'queued',
  'sending',
  'completed',
  'cancelled',
  'rejected',
  'failed',
] as const;
type RefundStatus = (typeof refundStatuses)[number];

/** Where the units of a refund come from: they stand in `payable` until it is sent. */
export type RefundParts = { overpayment: bigint; business: bigint; fees: bigint; suspense: bigint };

/** The signature by which the owner of an address that paid has chosen where the money goes back to. */
export type RefundProof = {
  /** The address that signed. */
  provedBy: string;
  statement: string;
  signature: string;
};

/** Money of a payment, in one asset, that goes back to its customer. Amounts are units at the asset's scale. */
export type Refund = {
  id: RefundId;
  paymentId: PaymentId;
  status: RefundStatus;
  asset: string;
  units: bigint;
  parts: RefundParts;
  /** The end of an appeal made it: it cannot be cancelled, only the payout that carries it can. */
  isOwed: boolean;
  /** The person who made it, or who made the key that did; null: nobody of the business, or a key without a maker. */
  madeBy: string | null;
  /** It is above the daily limits of the key that made it: each payout that carries it needs a person's approval. */
  needsApproval: boolean;
  /** The same for all refunds that were ordered, and wait for approval, as one. */
  together: string | null;
  payoutId: string | null;
  to: string | null;
  memo: string | null;
  reason: string | null;
  /** The user whose wallet gets it back. */
  wallet: string | null;
  transaction: string | null;
  /** Why the last payout failed, or why it was cancelled. */
  failure: string | null;
  /** What holds its payout up; as it was when it was read. */
  heldUp: string | null;
  announcedAt: Date | null;
  /** When the customer was last mailed the link to claim it, and where to. */
  linkMailedAt: Date | null;
  linkMailedTo: string | null;
  proof: RefundProof | null;
  createdAt: Date;
  completedAt: Date | null;
};

type RefundRow = {
  id: RefundId;
  payment_id: PaymentId;
  status: RefundStatus;
  asset: string;
  units: bigint;
  from_overpayment: bigint;
  from_business: bigint;
  from_fees: bigint;
  from_suspense: bigint;
  is_owed: boolean;
  made_by: string | null;
  needs_approval: boolean;
  together: string | null;
  payout_id: string | null;
  destination: string | null;
  memo: string | null;
  reason: string | null;
  wallet: string | null;
  transaction: string | null;
  failure: string | null;
  held_up: string | null;
  announced_at: Date | null;
  link_mailed_at: Date | null;
  link_mailed_to: string | null;
  proved_by: string | null;
  proof_statement: string | null;
  proof_signature: string | null;
  created_at: Date;
  completed_at: Date | null;
};

function refundOf(row: RefundRow): Refund {
  return {
    id: row.id,
    paymentId: row.payment_id,
    status: row.status,
    asset: row.asset,
    units: row.units,
    parts: {
      overpayment: row.from_overpayment,
      business: row.from_business,
      fees: row.from_fees,
      suspense: row.from_suspense,
    },
    isOwed: row.is_owed,
    madeBy: row.made_by,
    needsApproval: row.needs_approval,
    together: row.together,
    payoutId: row.payout_id,
    to: row.destination,
    memo: row.memo,
    reason: row.reason,
    wallet: row.wallet,
    transaction: row.transaction,
    failure: row.failure,
    heldUp: row.held_up,
    announcedAt: row.announced_at,
    linkMailedAt: row.link_mailed_at,
    linkMailedTo: row.link_mailed_to,
    proof: proofOf(row),
    createdAt: row.created_at,
    completedAt: row.completed_at,
  };
}

function proofOf({ proved_by, proof_statement, proof_signature }: RefundRow): Refund['proof'] {
  if (proved_by === null || proof_statement === null || proof_signature === null) return null;
  return { provedBy: proved_by, statement: proof_statement, signature: proof_signature };
}

const selectRefunds = `SELECT r.*, o.held_up FROM payment_refunds r LEFT JOIN payouts o ON o.id = r.payout_id`;

/** A refund as a record of the JSON that the statement which writes refunds reads. */
export function refundRecordOf(refund: Refund) {
  const { parts, proof } = refund;
  return {
    id: refund.id,
    payment_id: refund.paymentId,
    status: refund.status,
    asset: refund.asset,
    units: refund.units.toString(),
    from_overpayment: parts.overpayment.toString(),
    from_business: parts.business.toString(),
    from_fees: parts.fees.toString(),
    from_suspense: parts.suspense.toString(),
    is_owed: refund.isOwed,
    made_by: refund.madeBy,
    needs_approval: refund.needsApproval,
    together: refund.together,
    payout_id: refund.payoutId,
    destination: refund.to,
    memo: refund.memo,
    reason: refund.reason,
    wallet: refund.wallet,
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
  return rows.map(refundOf);
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

/** The units that are the business's money; the rest is the customer's own. */
export const businessShare = ({ business, fees }: RefundParts): bigint => business + fees;

/** Whether money of it may still leave: it is not sent, and not cancelled. */
export const isUnsent = ({ status }: Pick<Refund, 'status'>): boolean =>
  status !== 'completed' && status !== 'cancelled';

/** The units in `payable` that unsent refunds have there, in one asset. */
export function unsentUnits(refunds: readonly Refund[], asset: string): bigint {
  return refunds
    .filter((refund) => refund.asset === asset && isUnsent(refund))
    .reduce((sum, { units }) => sum + units, 0n);
}
