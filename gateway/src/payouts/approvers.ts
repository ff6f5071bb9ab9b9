import { lockTeam } from '../identity/merchants/merchants.ts';
import { countMembers } from '../identity/merchants/people.ts';
import type { TeamChange } from '../identity/merchants/team.ts';
import type { Owner } from '../identity/owner.ts';
import { mayRole } from '../identity/roles.ts';
import type { Reader, Tx } from '../kit/db/db.ts';
import { refuse } from '../kit/errors.ts';
import { payoutErrors } from './errors.ts';

/**
 * Locks the team of a business and refuses where so many approvals could not be given, because who asks for a payout
 * never approves it. Throws `too_few_approvers`.
 */
export async function assertApprovers(tx: Tx, merchantId: string, needed: number): Promise<void> {
  if (needed === 0) return;
  await lockTeam(tx, merchantId);
  if ((await countMembers(tx, merchantId, 'make payouts')) <= needed) {
    throw refuse(payoutErrors.too_few_approvers, { needed: String(needed) });
  }
}

/** Whether a business has so many people who may approve payouts, beside the one who never approves this. */
export async function couldApprove(
  reader: Reader,
  { integrationId }: Pick<Owner, 'integrationId'>,
  { except, needed }: { except: string | null; needed: number },
): Promise<boolean> {
  const { rows } = await reader.query<{ merchant_id: string | null }>(
    'SELECT merchant_id FROM integrations WHERE id = $1',
    [integrationId],
  );
  const merchantId = rows[0]?.merchant_id ?? null;
  if (merchantId === null) return false;
  return (await countMembers(reader, merchantId, 'make payouts', except)) >= needed;
}

/** Refuses that a member leaves whose approval the settings need. Throws `too_few_approvers`. */
export async function assertApproversLeft(tx: Tx, { merchantId, from, to }: TeamChange): Promise<void> {
  const isLost = mayRole(from, 'make payouts') && !(to !== null && mayRole(to, 'make payouts'));
  if (!isLost) return;
  const { rows } = await tx.query<{ needed: number | null }>(
    `SELECT max(s.approvals) AS needed FROM payout_settings s JOIN integrations i ON i.id = s.integration_id
     WHERE i.merchant_id = $1 AND (s.enabled OR s.mode = 'test')`,
    [merchantId],
  );
  await assertApprovers(tx, merchantId, rows[0]?.needed ?? 0);
}
