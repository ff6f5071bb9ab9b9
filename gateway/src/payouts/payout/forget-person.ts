import type { ForgetPerson } from '../../identity/closing/close-account.ts';

/** Takes the name of a person out of payouts and what belongs to them; their id stays. */
export const forgetPayoutPerson: ForgetPerson = async (tx, { id, email, by }) => {
  await tx.query('UPDATE payouts SET requester = $2 WHERE requested_by = $1 AND requester = $3', [
    id,
    by,
    email,
  ]);
  await tx.query('UPDATE payout_schedules SET requester = $2 WHERE requested_by = $1', [id, by]);
  await tx.query('UPDATE payout_schedules SET ended_by = $1 WHERE ended_by = $2', [by, email]);
  await tx.query('UPDATE payout_approvals SET approver = $2 WHERE account_id = $1', [id, by]);
  await tx.query('UPDATE payout_schedule_approvals SET approver = $2 WHERE account_id = $1', [id, by]);
  await tx.query('UPDATE payout_addresses SET added_by = $1 WHERE added_by = $2', [by, email]);
  await tx.query('UPDATE payout_addresses SET stopped_by = $1 WHERE stopped_by = $2', [by, email]);
  await tx.query('UPDATE payout_stop SET stopped_by = $1 WHERE stopped_by = $2', [by, email]);
};
