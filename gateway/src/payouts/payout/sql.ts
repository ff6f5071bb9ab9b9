/** The columns of a payout, as `payoutOf` reads them. */
export const payoutColumns = `id, integration_id, mode, purpose, cause_id, status, asset, units, fee, rail, debit_kind,
  debit_owner, credit_kind, credit_owner, hold_id, fee_hold_id, destination, memo, reference, description,
  approvals_needed, operator_approvals_needed, requested_by, requester, transaction, failure, held_up, ended_as,
  together, version, event_sequence, created_at, sent_at, completed_at`;

/** The same of a table under another name. */
export const payoutColumnsOf = (name: string): string =>
  payoutColumns
    .split(',')
    .map((column) => `${name}.${column.trim()}`)
    .join(', ');

/** Rows whose reference is taken are left out: the caller sees that there are fewer. */
export const insertPayoutsSql = `
WITH input AS (
  SELECT * FROM json_to_recordset($1) AS t(id uuid, integration_id uuid, mode text, purpose text, cause_id uuid,
    status text, asset text, units numeric, fee numeric, rail text, debit_kind text, debit_owner text,
    credit_kind text, credit_owner text, hold_id uuid, fee_hold_id uuid, destination text, memo text, reference text,
    description text, approvals_needed integer, operator_approvals_needed integer, requested_by uuid, requester text,
    together uuid)
), inserted AS (
  INSERT INTO payouts (id, integration_id, mode, purpose, cause_id, status, asset, units, fee, rail, debit_kind,
    debit_owner, credit_kind, credit_owner, hold_id, fee_hold_id, destination, memo, reference, description,
    approvals_needed, operator_approvals_needed, requested_by, requester, together, event_sequence, created_at, updated_at)
  SELECT id, integration_id, mode, purpose, cause_id, status, asset, units, fee, rail, debit_kind,
    debit_owner, credit_kind, credit_owner, hold_id, fee_hold_id, destination, memo, reference, description,
    approvals_needed, operator_approvals_needed, requested_by, requester, together,
    CASE WHEN status = 'awaiting_approval' AND purpose = 'merchant_payout' THEN 1 ELSE 0 END, $2, $2
  FROM input
  ON CONFLICT (integration_id, mode, reference) WHERE reference IS NOT NULL DO NOTHING
  RETURNING ${payoutColumns}
), noted AS (
  INSERT INTO payout_moves (payout_id, version, at, to_status) SELECT id, version, $2, status FROM inserted
)
SELECT * FROM inserted ORDER BY id`;

/** Moves payouts that are locked. `events` adds one to the number of the last event where an event is sent. */
export const movePayoutsSql = `
WITH input AS (
  SELECT * FROM json_to_recordset($1) AS t(id uuid, "from" text, "to" text, transaction text, why text,
    hold_id uuid, fee_hold_id uuid, events integer)
), moved AS (
  UPDATE payouts p SET status = i."to", version = p.version + 1, event_sequence = p.event_sequence + i.events,
    transaction = coalesce(i.transaction, p.transaction), hold_id = i.hold_id, fee_hold_id = i.fee_hold_id,
    failure = CASE WHEN i."to" IN ('failed', 'rejected') OR i."from" IN ('cancelled', 'rejected', 'failed') THEN i.why END,
    ended_as = CASE WHEN i."from" IN ('cancelled', 'rejected', 'failed') THEN i."from" WHEN i."to" = 'sending' THEN p.ended_as END,
    held_up = CASE WHEN i."to" = 'queued' THEN i.why END,
    sent_at = CASE WHEN i."to" = 'sending' THEN coalesce(p.sent_at, $2) WHEN i."to" = 'completed' THEN coalesce(p.sent_at, $2)
      WHEN i."to" = 'queued' THEN NULL ELSE p.sent_at END,
    completed_at = CASE WHEN i."to" = 'completed' THEN coalesce(p.completed_at, $2) ELSE p.completed_at END,
    updated_at = $2
  FROM input i WHERE p.id = i.id AND p.status = i."from"
  RETURNING ${payoutColumnsOf('p')}
), noted AS (
  INSERT INTO payout_moves (payout_id, version, at, from_status, to_status, transaction, why)
  SELECT m.id, m.version, $2, i."from", i."to", i.transaction, i.why FROM moved m JOIN input i USING (id)
)
SELECT * FROM moved ORDER BY id`;
