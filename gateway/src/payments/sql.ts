import type { PaymentId } from './payment.ts';

/** Inserts many; one whose reference is taken is passed over and its id does not come back. */
export const insertPaymentsSql = `
INSERT INTO payments (id, reference, token, integration_id, mode, status, payment_type, currency, amount, fee,
  fee_payer, amount_due, customer_email, customer_reference, success_url, failure_url, item_list, meta_data,
  meta_terms, payment_note, deadline, deadline_seconds, late_window_seconds, due_at, created_at, updated_at)
SELECT id, reference, token, integration_id, mode, 'unlinked', payment_type, currency, amount, fee, fee_payer,
  amount_due, customer_email, customer_reference, success_url, failure_url, item_list, meta_data, meta_terms,
  payment_note, deadline, deadline_seconds, late_window_seconds, deadline, created_at, created_at
FROM json_to_recordset($1) AS t(id uuid, reference text, token text, integration_id uuid, mode text,
  payment_type text, currency text, amount numeric, fee numeric, fee_payer text, amount_due numeric,
  customer_email text, customer_reference text, success_url text, failure_url text, item_list json,
  meta_data text, meta_terms bigint[], payment_note text, deadline timestamptz, deadline_seconds int, late_window_seconds int,
  created_at timestamptz)
ORDER BY reference, integration_id
ON CONFLICT DO NOTHING
RETURNING id`;

/** The only statement that changes a status; no row when the payment has already left the old one. */
export const movePaymentSql = `
WITH moved AS (
  UPDATE payments SET status = $3, reason = $4, updated_at = $5,
    version = version + 1,
    event_sequence = event_sequence + 1,
    completed_at = CASE WHEN $3 = 'completed' THEN coalesce(completed_at, $5) ELSE completed_at END,
    late_until = CASE WHEN $4 = 'abandoned' THEN deadline + late_window_seconds * interval '1 second'
                      ELSE late_until END
  WHERE id = $1 AND status = $2
  RETURNING *
), noted AS (
  INSERT INTO payment_moves (payment_id, version, at, from_status, to_status, reason)
  SELECT id, version, $5, $2, $3, $4 FROM moved
)
SELECT * FROM moved`;

/**
 * When to look again, which rails are waited for and since when, and what is unusual: late, part paid, overpaid.
 * That it waits, or no longer does, is shown on the page.
 */
export const noteDueSql = `
UPDATE payments SET due_at = $2, unread_rails = $3, unread_since = $4,
  is_late = $5, is_part_paid = $6, is_overpaid = $7,
  version = version + ((unread_since IS NULL) <> ($4::timestamptz IS NULL))::integer
WHERE id = $1 AND (due_at, unread_rails, unread_since, is_late, is_part_paid, is_overpaid)
  IS DISTINCT FROM ($2::timestamptz, $3::text[], $4::timestamptz, $5::boolean, $6::boolean, $7::boolean)
RETURNING version`;

/**
 * Chosen for the first time the payment's deadline starts anew; chosen again only the method changes, and the rails
 * ($4) are awaited as well.
 */
export const chooseMethodSql = `
UPDATE payments SET method = $2, awaited_rails = ARRAY(SELECT unnest(awaited_rails) UNION SELECT unnest($4::text[])),
  linked_at = coalesce(linked_at, $3),
  deadline = CASE WHEN linked_at IS NULL THEN $3::timestamptz + deadline_seconds * interval '1 second'
                  ELSE deadline END
WHERE id = $1
RETURNING *`;

/** Counts a change, and awaits the rail that brought it ($2) from now on; null: one that has no time of its own. */
export const touchSql = `
UPDATE payments SET version = version + 1,
  awaited_rails = CASE WHEN $2::text IS NULL OR $2 = ANY (awaited_rails) THEN awaited_rails
                       ELSE awaited_rails || $2::text END
WHERE id = $1 RETURNING *`;

export type TransferRow = {
  rail: string;
  key: string;
  payment_id: PaymentId;
  ledger_id: string;
  transaction: string;
  asset: string;
  units: bigint;
  state: 'seen' | 'final' | 'gone';
  confirmations: number;
  needed: number;
  seen_at: Date;
  final_at: Date | null;
  gone_at: Date | null;
  sender: string | null;
  /** When it was refunded; from then on it no longer counts for the payment. */
  returned_at: Date | null;
};

/** What was written, and the state that the transfer had before; null: it was not known. */
export type WrittenTransfer = TransferRow & { state_before: TransferRow['state'] | null };

/**
 * Writes what a rail saw, as of when its chain took it ($11) and of when that is reported ($13); a later look at
 * the same transfer updates it, and corrects it until it is final: what is seen first is one endpoint's word. A
 * final one stays final, unless it has left its chain: should it come back it is booked anew, under another id. One
 * that never was final may turn out to be another payment's.
 */
export const upsertTransferSql = `
INSERT INTO payment_transfers AS t (rail, key, payment_id, ledger_id, transaction, asset, units, state,
  confirmations, needed, seen_at, final_at, gone_at, sender)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce($11::timestamptz, $13),
  CASE WHEN $8 = 'final' THEN $13::timestamptz END, CASE WHEN $8 = 'gone' THEN $13::timestamptz END, $12)
ON CONFLICT (rail, key) DO UPDATE SET
  state = excluded.state, confirmations = excluded.confirmations, needed = excluded.needed,
  payment_id = excluded.payment_id, transaction = excluded.transaction, sender = excluded.sender,
  asset = CASE WHEN t.state = 'final' THEN t.asset ELSE excluded.asset END,
  units = CASE WHEN t.state = 'final' THEN t.units ELSE excluded.units END,
  seen_at = CASE WHEN t.state = 'final' THEN t.seen_at ELSE coalesce($11, t.seen_at) END,
  ledger_id = CASE WHEN t.state = 'gone' AND excluded.state <> 'gone' THEN excluded.ledger_id
                   ELSE t.ledger_id END,
  final_at = coalesce(t.final_at, excluded.final_at),
  gone_at = CASE WHEN excluded.state = 'gone' THEN coalesce(t.gone_at, excluded.gone_at) END
WHERE (t.state <> 'final' OR excluded.state = 'gone')
  AND (t.payment_id = excluded.payment_id OR (t.state = 'gone' AND t.final_at IS NULL))
RETURNING t.*, (SELECT state FROM payment_transfers WHERE rail = $1 AND key = $2) AS state_before`;

/**
 * The test clock: whatever of the integration's test payments still waits for a time, or for steps of the simulated
 * chain, comes closer to it.
 */
export const shiftTestPaymentsSql = `
WITH open AS (
  SELECT id FROM payments
  WHERE integration_id = $1 AND mode = 'test' AND (due_at IS NOT NULL OR late_until > $3 OR id = ANY ($4))
  ORDER BY id FOR UPDATE
), shifted AS (
  UPDATE payments p SET
    deadline = deadline - $2 * interval '1 second',
    due_at = due_at - $2 * interval '1 second',
    late_until = late_until - $2 * interval '1 second'
  FROM open WHERE p.id = open.id
  RETURNING p.id
)
UPDATE payment_transfers t SET
  seen_at = seen_at - $2 * interval '1 second',
  gone_at = gone_at - $2 * interval '1 second'
FROM shifted WHERE t.payment_id = shifted.id`;
