import type { IntegrationId, Mode } from '../../identity/integration.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { type Id, isUuid, newId } from '../../kit/ids.ts';
import type { Payment, PaymentId, PaymentStatus } from './payment.ts';

export type AppealId = Id<'appeal'>;

/** Why a payment came into appeal. */
export const appealReasons = ['part_paid', 'late', 'paid_after_end', 'disputed', 'reorg'] as const;
export type AppealReason = (typeof appealReasons)[number];

/**
 * How it left; `reorg`: nothing that came for it was left on its chain; `covered_again`: what had left its chain
 * came back, and nobody had to decide.
 */
type AppealDecision = 'accepted' | 'dispute_rejected' | 'returned' | 'reorg' | 'covered_again';

export type AppealRow = {
  id: AppealId;
  payment_id: PaymentId;
  integration_id: IntegrationId;
  mode: Mode;
  reason: AppealReason;
  opened_from: PaymentStatus;
  opened_at: Date;
  closed_at: Date | null;
  decision: AppealDecision | null;
  decided_by: string | null;
  decided_as: 'merchant' | 'operator' | null;
  note: string | null;
};

/** Whose appeals: one integration's in one mode, or, to the operator, everybody's. */
export type AppealScope = { integrationId: IntegrationId; mode: Mode } | 'all';

/** Opens the appeal of a payment that has just come into appeal; only a move does that. */
export async function openAppeal(
  tx: Tx,
  payment: Payment,
  openedFrom: PaymentStatus,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO appeals (id, payment_id, integration_id, mode, reason, opened_from, opened_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [newId(now), payment.id, payment.integrationId, payment.mode, payment.reason, openedFrom, now],
  );
}

/** Closes the appeal of a payment that has just left it; only a move does that. */
export async function closeAppeal(tx: Tx, payment: Payment, now: Date): Promise<void> {
  await tx.query(
    'UPDATE appeals SET closed_at = $2, decision = $3 WHERE payment_id = $1 AND closed_at IS NULL',
    [payment.id, now, payment.reason],
  );
}

/** Which appeal a call means, and within which scope. */
export type AppealName = { scope: AppealScope; id: string };

/** An appeal within a scope; a stranger's is `Not found`. */
export async function findAppeal(reader: Reader, { scope, id }: AppealName): Promise<AppealRow> {
  const owner = scope === 'all' ? null : scope;
  const { rows } = isUuid(id)
    ? await reader.query<AppealRow>(
        `SELECT * FROM appeals
         WHERE id = $1 AND ($2::uuid IS NULL OR (integration_id = $2 AND mode = $3))`,
        [id, owner?.integrationId ?? null, owner?.mode ?? null],
      )
    : { rows: [] };
  if (!rows[0]) throw refuse(kitErrors.not_found);
  return rows[0];
}
