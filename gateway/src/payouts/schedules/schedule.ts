import type { IntegrationId, Mode } from '../../identity/integration.ts';
import type { Owner } from '../../identity/owner.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { isUuid, newId } from '../../kit/ids.ts';
import { payoutErrors } from '../payout/errors.ts';
import { type Approver, mayPayOut } from '../rules/approvers.ts';
import { type Every, nextAt } from './next-time.ts';

/** At each time, what a balance has above `keep` is paid to an address of the address book. Units are the asset's. */
export type Schedule = {
  id: string;
  integrationId: IntegrationId;
  mode: Mode;
  asset: string;
  keep: bigint;
  /** The largest amount of one of its payouts. The settings at the time of a payout decide about it (`run.ts#isApproved`). */
  most: bigint;
  every: Every;
  addressId: string;
  label: string;
  address: string;
  memo: string | null;
  requestedBy: string;
  requester: string;
  approvalsNeeded: number;
  approvals: { accountId: string; by: string }[];
  /** Null while it waits for approval. */
  nextAt: Date | null;
  lastAt: Date | null;
  lastPayoutId: string | null;
  /** Why there was no payout the last time. */
  lastSkip: string | null;
};

export const scheduleSql = `SELECT s.id, s.integration_id AS "integrationId", s.mode, s.asset, s.keep, s.most, s.every,
  s.address_id AS "addressId", a.label, a.address, a.memo, s.requested_by AS "requestedBy", s.requester,
  s.approvals_needed AS "approvalsNeeded", s.next_at AS "nextAt", s.last_at AS "lastAt",
  s.last_payout_id AS "lastPayoutId", s.last_skip AS "lastSkip",
  (SELECT coalesce(json_agg(json_build_object('accountId', account_id, 'by', approver) ORDER BY at), '[]')
   FROM payout_schedule_approvals WHERE schedule_id = s.id) AS approvals
FROM payout_schedules s JOIN payout_addresses a ON a.id = s.address_id`;

/** An owner's schedules that have not ended, by asset. */
export async function listSchedules(reader: Reader, { integrationId, mode }: Owner): Promise<Schedule[]> {
  const { rows } = await reader.query<Schedule>(
    `${scheduleSql} WHERE s.integration_id = $1 AND s.mode = $2 AND s.ended_at IS NULL ORDER BY s.asset`,
    [integrationId, mode],
  );
  return rows;
}

/** The real time, and the owner's, which a test clock advances. */
export type Times = { now: Date; ownTime: Date };

export type NewSchedule = Pick<Schedule, 'asset' | 'keep' | 'most' | 'every' | 'addressId'> & {
  requestedBy: string;
  requester: string;
  approvalsNeeded: number;
};

/**
 * Sets a schedule up; it runs once it is approved. Throws `not_found` for an address that is not in the book, and
 * `schedule_exists`.
 */
export async function addSchedule(
  tx: Tx,
  { integrationId, mode }: Owner,
  wanted: NewSchedule,
  { now, ownTime }: Times,
): Promise<Schedule> {
  const { asset, keep, most, every, addressId, requestedBy, requester, approvalsNeeded } = wanted;
  const id = newId(now);
  const { rowCount: known } = await tx.query(
    `SELECT FROM payout_addresses WHERE id = $1 AND integration_id = $2 AND mode = $3 AND stopped_at IS NULL`,
    [addressId, integrationId, mode],
  );
  if (known === 0) throw refuse(kitErrors.not_found);
  const { rowCount } = await tx.query(
    `INSERT INTO payout_schedules (id, integration_id, mode, asset, keep, most, every, address_id, requested_by, requester,
       approvals_needed, next_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING`,
    [
      ...[
        id,
        integrationId,
        mode,
        asset,
        keep,
        most,
        every,
        addressId,
        requestedBy,
        requester,
        approvalsNeeded,
      ],
      approvalsNeeded === 0 ? nextAt(every, now, ownTime) : null,
      now,
    ],
  );
  if (rowCount === 0) throw refuse(payoutErrors.schedule_exists);
  return await findSchedule(tx, { integrationId, mode }, id);
}

/** A schedule of an owner. */
export type ScheduleRef = { owner: Owner; id: string };

/** Approves a schedule: each of its payouts up to its ceiling. Throws `not_found`, and what approving a payout does. */
export async function approveSchedule(
  tx: Tx,
  { owner, id }: ScheduleRef,
  { accountId, name }: Pick<Approver, 'accountId' | 'name'>,
  { now, ownTime }: Times,
): Promise<Schedule> {
  const { requestedBy, every, approvalsNeeded, approvals, nextAt: next } = await lockSchedule(tx, owner, id);
  if (next !== null) throw refuse(payoutErrors.not_approvable);
  if (requestedBy === accountId) throw refuse(payoutErrors.own_payout);
  if (approvals.some((each) => each.accountId === accountId)) throw refuse(payoutErrors.approved_already);
  await tx.query(
    'INSERT INTO payout_schedule_approvals (schedule_id, account_id, approver, at) VALUES ($1, $2, $3, $4)',
    [id, accountId, name, now],
  );
  const approvers = [accountId, ...approvals.map((each) => each.accountId)];
  if ((await mayPayOut(tx, owner.integrationId, approvers)).size >= approvalsNeeded) {
    await tx.query('UPDATE payout_schedules SET next_at = $2 WHERE id = $1', [
      id,
      nextAt(every, now, ownTime),
    ]);
  }
  return await findSchedule(tx, owner, id);
}

/** Ends a schedule; what it ordered goes on. Throws `not_found`. */
export async function endSchedule(
  tx: Tx,
  { owner, id }: ScheduleRef,
  by: string,
  now: Date,
): Promise<Schedule> {
  const schedule = await lockSchedule(tx, owner, id);
  await tx.query('UPDATE payout_schedules SET ended_at = $2, ended_by = $3, next_at = NULL WHERE id = $1', [
    id,
    now,
    by,
  ]);
  return schedule;
}

/** For the test clock: the test schedules of an integration become due earlier. */
export async function shiftTestSchedules(tx: Tx, integrationId: string, seconds: number): Promise<void> {
  await tx.query(
    `UPDATE payout_schedules SET next_at = next_at - make_interval(secs => $2)
     WHERE integration_id = $1 AND mode = 'test' AND next_at IS NOT NULL`,
    [integrationId, seconds],
  );
}

async function lockSchedule(tx: Tx, owner: Owner, id: string): Promise<Schedule> {
  if (!isUuid(id)) throw refuse(kitErrors.not_found);
  await tx.query('SELECT FROM payout_schedules WHERE id = $1 FOR UPDATE', [id]);
  return await findSchedule(tx, owner, id);
}

async function findSchedule(reader: Reader, { integrationId, mode }: Owner, id: string): Promise<Schedule> {
  const { rows } = await reader.query<Schedule>(
    `${scheduleSql} WHERE s.id = $1 AND s.integration_id = $2 AND s.mode = $3 AND s.ended_at IS NULL`,
    [id, integrationId, mode],
  );
  if (!rows[0]) throw refuse(kitErrors.not_found);
  return rows[0];
}
