import type { Mode } from '../../identity/integration.ts';
import { lockTeam } from '../../identity/merchants/merchants.ts';
import { countMembers, membersWith, operatorsAmong } from '../../identity/merchants/people.ts';
import type { TeamChange } from '../../identity/merchants/team.ts';
import type { Owner } from '../../identity/owner.ts';
import { mayRole } from '../../identity/roles.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { type Refusal, refuse } from '../../kit/errors.ts';
import type { Asset } from '../../money/assets.ts';
import { approvedAddress } from '../../rails/simulated/sends.ts';
import { payoutErrors } from '../payout/errors.ts';
import type { Payout } from '../payout/payout.ts';
import { approvalsFor, type PayoutSettings, payoutSettingsOf } from './settings.ts';
import type { PayoutTerms } from './terms.ts';

/**
 * Whether the merchant's people approve a payout. `always`: whatever the amount, since somebody else named the address;
 * `never`: the money is not theirs, or they approved it before, as a schedule with its ceiling. Operators still
 * approve above their amount. A number: so many of the merchant's people, and no operator.
 */
export type Approval = 'as set' | 'always' | 'never' | number;

/** How many people approve a payout: of the business, and operators. */
export type Needed = { approvals: number; operators: number };
export const noApprovals: Needed = { approvals: 0, operators: 0 };

type Asked = {
  mode: Mode;
  approval?: Approval;
  asOne?: { units: bigint } | null;
  requester: { isConfirmed?: boolean };
};

/** The approvals that a payout needs. For a part of an order, the units of the whole order decide. */
export function neededFor(
  { asset, units, to }: { asset: Asset; units: bigint; to: string },
  { mode, approval, asOne, requester }: Asked,
  { approveAbove }: Pick<PayoutTerms, 'approveAbove'>,
  settings: PayoutSettings | null,
): Needed {
  if (typeof approval === 'number') return { approvals: approval, operators: 0 };
  const deciding = asOne?.units ?? units;
  const isLarge = approveAbove !== null && deciding > approveAbove;
  const operators = isLarge && !requester.isConfirmed ? 1 : 0;
  if (settings === null || approval === 'never') return { approvals: 0, operators };
  const isAlways = approval === 'always' || (mode === 'test' && to === approvedAddress);
  const approvals = isAlways ? Math.max(settings.approvals, 1) : approvalsFor(settings, asset, deciding);
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

/** Whether at least `needed` people of a business may approve payouts; `except`, who asked, does not count. */
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

/** Throws `above`, the refusal of a key's limit, where nobody but who made the key could approve what exceeds it. */
export async function assertApprovable(
  reader: Reader,
  owner: Owner,
  { requester, above }: { requester: { accountId: string | null }; above: Refusal },
): Promise<void> {
  const needed = Math.max((await payoutSettingsOf(reader, owner)).approvals, 1);
  if (!(await couldApprove(reader, owner, { except: requester.accountId, needed }))) throw above;
}

/** Which of these people may make and approve payouts of an integration; null: of the operator's own, nobody. */
export async function mayPayOut(
  reader: Reader,
  integrationId: string | null,
  accountIds: readonly string[],
): Promise<Set<string>> {
  if (integrationId === null || accountIds.length === 0) return new Set();
  return await membersWith(reader, integrationId, 'make payouts', accountIds);
}

/** Who approves: a person of the merchant, or an operator. */
export type Approver = { accountId: string; name: string; side: 'merchant' | 'operator' };

/** Who gave an approval: whose account, and for which side. */
export type Given = Pick<Approver, 'accountId' | 'side'>;

/** Who approved payouts, by the payout's id; `standingApprovals` says whose approvals count. */
export async function approversOf(reader: Reader, ids: readonly string[]): Promise<Map<string, Given[]>> {
  const { rows } = await reader.query<Given & { payout_id: string }>(
    `SELECT payout_id, account_id AS "accountId", side FROM payout_approvals WHERE payout_id = ANY ($1)`,
    [ids],
  );
  const found = new Map<string, Given[]>(ids.map((id) => [id, []]));
  for (const { payout_id, ...approver } of rows) found.get(payout_id)?.push(approver);
  return found;
}

/**
 * The approvals that count, by the payout's id: of those members who may still give them, and of those who are still
 * operators.
 */
export async function standingApprovals(
  reader: Reader,
  payouts: readonly Pick<Payout, 'id' | 'integrationId'>[],
): Promise<Map<string, Given[]>> {
  const given = await approversOf(
    reader,
    payouts.map(({ id }) => id),
  );
  const accountsOn = (side: Given['side'], of: readonly Pick<Payout, 'id'>[]) =>
    of.flatMap(({ id }) => given.get(id) ?? []).flatMap((each) => (each.side === side ? each.accountId : []));
  const operator = await operatorsAmong(reader, accountsOn('operator', payouts));
  const standing = new Map<string, Given[]>();
  for (const [integrationId, own] of Map.groupBy(payouts, (payout) => payout.integrationId)) {
    const merchant = await mayPayOut(reader, integrationId, accountsOn('merchant', own));
    const may = { merchant, operator };
    for (const { id } of own) {
      standing.set(
        id,
        (given.get(id) ?? []).filter(({ side, accountId }) => may[side].has(accountId)),
      );
    }
  }
  return standing;
}

/** Refuses that a member leaves, or loses the role, if too few others could approve then. Throws `too_few_approvers`. */
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
