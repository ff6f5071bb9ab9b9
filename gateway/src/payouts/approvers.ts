import type { Mode } from '../identity/integration.ts';
import { lockTeam } from '../identity/merchants/merchants.ts';
import { countMembers } from '../identity/merchants/people.ts';
import type { TeamChange } from '../identity/merchants/team.ts';
import type { Owner } from '../identity/owner.ts';
import { mayRole } from '../identity/roles.ts';
import type { Reader, Tx } from '../kit/db/db.ts';
import { refuse } from '../kit/errors.ts';
import type { Asset } from '../money/assets.ts';
import { approvedAddress } from '../rails/simulated/sends.ts';
import { payoutErrors } from './errors.ts';
import { approvalsFor, type PayoutSettings } from './settings.ts';
import type { PayoutTerms } from './terms.ts';

/**
 * Whether the merchant's people approve a payout. `always`: whatever the amount, since somebody else named the address;
 * `never`: the money is not theirs, or they approved it before, as a schedule with its ceiling. Operators still
 * approve above their amount.
 */
export type Approval = 'as set' | 'always' | 'never';

/** How many people approve a payout: of the business, and operators. */
export type Needed = { approvals: number; operators: number };
export const noApprovals: Needed = { approvals: 0, operators: 0 };

type Asked = {
  mode: Mode;
  approval?: Approval;
  asOne?: { units: bigint } | null;
  requester: { isConfirmed?: boolean };
};

/** The approvals that a payout needs; one that is a part of an order is judged by all of it. */
export function neededFor(
  { asset, units, to }: { asset: Asset; units: bigint; to: string },
  { mode, approval, asOne, requester }: Asked,
  { approveAbove }: Pick<PayoutTerms, 'approveAbove'>,
  settings: PayoutSettings | null,
): Needed {
  const judged = asOne?.units ?? units;
  const isLarge = approveAbove !== null && judged > approveAbove;
  const operators = isLarge && !requester.isConfirmed ? 1 : 0;
  if (settings === null || approval === 'never') return { approvals: 0, operators };
  const isAlways = approval === 'always' || (mode === 'test' && to === approvedAddress);
  const approvals = isAlways ? Math.max(settings.approvals, 1) : approvalsFor(settings, asset, judged);
  return { approvals, operators };
}

/** What all parts of an order need: the most that any of them does. */
export const mostOf = (needed: readonly Needed[]): Needed => ({
  approvals: Math.max(...needed.map(({ approvals }) => approvals)),
  operators: Math.max(...needed.map(({ operators }) => operators)),
});

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
