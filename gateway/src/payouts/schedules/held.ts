import type { Held, HeldBy } from '../../identity/keys/held.ts';
import { mayRole, type Role } from '../../identity/roles.ts';

const mayPayOut = (role: Role | null) => role !== null && mayRole(role, 'make payouts');

/** The schedules that a member set up or approved, which are affected when the member may no longer make payouts. */
export const schedulesHeldBy: HeldBy = async (reader, { merchantId, accountId }, { from, to }) => {
  if (!mayPayOut(from) || mayPayOut(to)) return [];
  const { rows } = await reader.query<Held>(
    `SELECT CASE WHEN s.requested_by = $2 THEN 'schedule' ELSE 'approval' END AS kind, i.name AS integration, s.mode,
       a.label AS name, s.asset AS detail
     FROM payout_schedules s JOIN integrations i ON i.id = s.integration_id JOIN payout_addresses a ON a.id = s.address_id
     WHERE i.merchant_id = $1 AND s.ended_at IS NULL AND (s.requested_by = $2 OR EXISTS (
       SELECT FROM payout_schedule_approvals p WHERE p.schedule_id = s.id AND p.account_id = $2))
     ORDER BY s.mode, s.id`,
    [merchantId, accountId],
  );
  return rows;
};
