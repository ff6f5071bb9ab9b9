import { anyLength } from '../../kit/db/sql-arrays.ts';
/** Inserts many; one whose reference is taken is passed over and its id does not come back. */
export const insertPaymentsSql = `
INSERT INTO payments (id, reference, token, integration_id, mode, status, payment_type, currency, amount, fee,
  fee_payer, amount_due, price_amount, price_currency, rate, rate_sources, choices, customer_email, customer_reference,
  success_url, failure_url, item_list, meta_data, meta_terms, payment_note, deadline, deadline_seconds, late_window_seconds, tolerance, link_id,
  one_use, is_invoice, asset_codes, short_percent, redirects, due_at, created_at, updated_at)
SELECT id, reference, token, integration_id, mode, 'unlinked', payment_type, currency, amount, fee, fee_payer,
  amount_due, price_amount, price_currency, rate, rate_sources, choices, customer_email, customer_reference, success_url,
  failure_url, item_list, meta_data, meta_terms, payment_note, deadline, deadline_seconds, late_window_seconds, tolerance, link_id, one_use,
  coalesce(is_invoice, false), asset_codes, short_percent, redirects, deadline, created_at, created_at
FROM json_to_recordset($1) AS t(id uuid, reference text, token text, integration_id uuid, mode text,
  payment_type text, currency text, amount numeric, fee numeric, fee_payer text, amount_due numeric,
  price_amount bigint, price_currency text, rate numeric, rate_sources json, choices text[], customer_email text, customer_reference text, success_url text, failure_url text, item_list json,
  meta_data text, meta_terms bigint[], payment_note text, deadline timestamptz, deadline_seconds int, late_window_seconds int,
  tolerance numeric, link_id uuid, one_use boolean, is_invoice boolean, asset_codes text[], short_percent float8,
  redirects boolean, created_at timestamptz)
ORDER BY reference, integration_id
ON CONFLICT DO NOTHING
RETURNING id`;

/**
 * The only statement that changes a status. Writes payments as they are now where the version is still the one that
 * was read, and the moves that they made.
 *
 * `= ANY (ids)` makes PostgreSQL look the payments up: joined with the input alone, which it takes for a hundred rows,
 * it would read the index of all payments as long as there are some thousand.
 *
 * The version before keeps sums of hours that are older than a day: their changes are noted for it.
 */
export const writePaymentsSql = `
WITH written AS (
  UPDATE payments p SET status = c.status, reason = c.reason, currency = c.currency, amount = c.amount,
    fee = c.fee, amount_due = c.amount_due, rate = c.rate, tolerance = c.tolerance, method = c.method, awaited_rails = c.awaited_rails,
    unread_rails = c.unread_rails, unread_since = c.unread_since, deadline = c.deadline, linked_at = c.linked_at,
    completed_at = c.completed_at, late_until = c.late_until, short_units = c.short_units, due_at = c.due_at, version = c.version,
    event_sequence = c.event_sequence, is_late = c.is_late, is_part_paid = c.is_part_paid,
    is_overpaid = c.is_overpaid, has_refunds = c.has_refunds, shares_reversed = c.shares_reversed, updated_at = c.updated_at
  FROM json_to_recordset($1) AS c(id uuid, stored_version int, status text, reason text, currency text,
    amount numeric, fee numeric, amount_due numeric, rate numeric, tolerance numeric, method text, awaited_rails text[],
    unread_rails text[], unread_since timestamptz, deadline timestamptz, linked_at timestamptz,
    completed_at timestamptz, late_until timestamptz, short_units numeric, due_at timestamptz, version int, event_sequence int,
    is_late boolean, is_part_paid boolean, is_overpaid boolean, has_refunds boolean, shares_reversed boolean,
    updated_at timestamptz)
  WHERE p.id = c.id AND p.id = ANY ${anyLength('$3', 'uuid')} AND p.version = c.stored_version
  RETURNING p.id, p.integration_id, p.mode, p.created_at, p.updated_at
), changed AS (
  INSERT INTO payment_hour_changes (integration_id, mode, hour)
  SELECT DISTINCT integration_id, mode, date_trunc('hour', created_at, 'UTC') FROM written
  WHERE created_at < greatest(updated_at, now()) - interval '1 day'
), noted AS (
  INSERT INTO payment_moves (payment_id, version, at, from_status, to_status, reason)
  SELECT payment_id, version, at, from_status, to_status, reason
  FROM json_to_recordset($2) AS m(payment_id uuid, version int, at timestamptz, from_status text, to_status text,
    reason text)
  WHERE payment_id IN (SELECT id FROM written)
)
SELECT count(*)::int AS written FROM written`;

/** The transfers of payments, and those of any payment with these keys. */
export const transfersOfPaymentsSql = `
SELECT * FROM payment_transfers WHERE payment_id = ANY ${anyLength('$1', 'uuid')}
UNION
SELECT t.* FROM unnest(${anyLength('$2', 'text')}, ${anyLength('$3', 'text')}) AS k(rail, key)
JOIN payment_transfers t ON t.rail = k.rail AND t.key = k.key`;

/** The transfers of payments that are named by references and integrations. */
export const transfersOfOwnSql = `
SELECT * FROM payment_transfers WHERE payment_id = ANY (ARRAY(
  SELECT p.id FROM unnest(${anyLength('$1', 'text')}, ${anyLength('$2', 'uuid')}) AS k (reference, integration_id)
  JOIN payments p ON p.reference = k.reference AND p.integration_id = k.integration_id
  WHERE p.reference = ANY ${anyLength('$1', 'text')}))`;

/**
 * Writes transfers as they are now: known ones where they are still as they were read, others where nothing has been
 * written under their key. Returns how many it wrote.
 */
export const writeTransfersSql = `
WITH input AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1) AS t(rail text, key text, payment_id uuid, ledger_id uuid, transaction text,
    asset text, units numeric, state text, confirmations int, needed int, seen_at timestamptz, final_at timestamptz,
    gone_at timestamptz, sender text, returned_at timestamptz, is_direct boolean, own_address text, host_points int,
    known_payment uuid, known_state text)
), changed AS (
  UPDATE payment_transfers t SET payment_id = i.payment_id, ledger_id = i.ledger_id, transaction = i.transaction,
    asset = i.asset, units = i.units, state = i.state, confirmations = i.confirmations, needed = i.needed,
    seen_at = i.seen_at, final_at = i.final_at, gone_at = i.gone_at, sender = i.sender, returned_at = i.returned_at,
    is_direct = i.is_direct, own_address = i.own_address, host_points = i.host_points
  FROM input i
  WHERE t.rail = ANY ${anyLength('$2', 'text')} AND t.key = ANY ${anyLength('$3', 'text')} AND t.rail = i.rail AND t.key = i.key AND t.payment_id = i.known_payment AND t.state = i.known_state
  RETURNING 1
), inserted AS (
  INSERT INTO payment_transfers (rail, key, payment_id, ledger_id, transaction, asset, units, state,
    confirmations, needed, seen_at, final_at, gone_at, sender, is_direct, own_address, host_points)
  SELECT rail, key, payment_id, ledger_id, transaction, asset, units, state, confirmations, needed, seen_at,
    final_at, gone_at, sender, is_direct, own_address, host_points
  FROM input WHERE known_state IS NULL
  ON CONFLICT (rail, key) DO NOTHING
  RETURNING 1
)
SELECT (SELECT count(*)::int FROM changed) + (SELECT count(*)::int FROM inserted) AS written`;

/** Writes refunds as they are now: new ones whole, of others what may change. */
export const writeRefundsSql = `
INSERT INTO payment_refunds (id, payment_id, status, asset, units, from_overpayment, from_business, from_fees,
  from_suspense, is_owed, made_by, needs_approval, together, payout_id, destination, memo, reason, wallet, transaction, failure,
  announced_at, proved_by, proof_statement, proof_signature, created_at, completed_at)
SELECT id, payment_id, status, asset, units, from_overpayment, from_business, from_fees, from_suspense, is_owed, made_by,
  needs_approval, together, payout_id, destination, memo, reason, wallet, transaction, failure, announced_at, proved_by,
  proof_statement, proof_signature, created_at, completed_at
FROM json_to_recordset($1) AS r(id uuid, payment_id uuid, status text, asset text, units numeric,
  from_overpayment numeric, from_business numeric, from_fees numeric, from_suspense numeric, is_owed boolean,
  made_by uuid, needs_approval boolean, together uuid, payout_id uuid, destination text, memo text, reason text, wallet text,
  transaction text, failure text, announced_at timestamptz, proved_by text, proof_statement text,
  proof_signature text, created_at timestamptz, completed_at timestamptz)
ON CONFLICT (id) DO UPDATE SET status = excluded.status, from_overpayment = excluded.from_overpayment,
  from_business = excluded.from_business, from_fees = excluded.from_fees, from_suspense = excluded.from_suspense,
  is_owed = excluded.is_owed, needs_approval = excluded.needs_approval, payout_id = excluded.payout_id, destination = excluded.destination,
  memo = excluded.memo, transaction = excluded.transaction, failure = excluded.failure,
  announced_at = excluded.announced_at, proved_by = excluded.proved_by,
  proof_statement = excluded.proof_statement, proof_signature = excluded.proof_signature,
  completed_at = excluded.completed_at`;

/** The same of refunds that merchants send. What is asked for anew is looked for from its own block on. */
export const writeDirectSql = `
INSERT INTO direct_refunds AS d (id, payment_id, integration_id, mode, status, asset, units, from_overpayment, from_business, from_suspense, is_owed,
  made_by, reason, destination, chain_id, token, sender, after, read_to, transaction, answered_by, failure, announced_at,
  proved_by, proof_statement, proof_signature, created_at, completed_at)
SELECT id, payment_id, integration_id, mode, status, asset, units, from_overpayment, from_business, from_suspense,
  is_owed, made_by, reason, destination, chain_id, token, sender, after, after, transaction, answered_by, failure, announced_at,
  proved_by, proof_statement, proof_signature, created_at, completed_at
FROM json_to_recordset($1) AS r(id uuid, payment_id uuid, status text, asset text, units numeric,
  from_overpayment numeric, from_business numeric, from_suspense numeric, is_owed boolean, made_by uuid, reason text,
  destination text, chain_id bigint, token text, sender text, after bigint, transaction text, answered_by text, failure text,
  announced_at timestamptz, proved_by text, proof_statement text, proof_signature text, created_at timestamptz,
  completed_at timestamptz) JOIN (SELECT id AS own, integration_id, mode FROM payments) p ON own = payment_id
ON CONFLICT (id) DO UPDATE SET status = excluded.status, from_overpayment = excluded.from_overpayment,
  from_business = excluded.from_business, from_suspense = excluded.from_suspense, is_owed = excluded.is_owed,
  destination = excluded.destination, chain_id = excluded.chain_id, token = excluded.token, sender = excluded.sender, after = excluded.after,
  read_to = CASE WHEN d.after IS DISTINCT FROM excluded.after THEN excluded.after ELSE d.read_to END,
  transaction = excluded.transaction, answered_by = excluded.answered_by, failure = excluded.failure,
  announced_at = excluded.announced_at, proved_by = excluded.proved_by, proof_statement = excluded.proof_statement,
  proof_signature = excluded.proof_signature, completed_at = excluded.completed_at`;

/** A time that the test clock moves: by $2 seconds; of a payment that awaits a network no further than to now, $3. */
const closer = (
  time: string,
): string => `CASE WHEN awaited_rails = '{}' THEN ${time} - $2 * interval '1 second'
      ELSE greatest(${time} - $2 * interval '1 second', least(${time}, $3)) END`;

/**
 * The test clock: whatever of the integration's test payments still waits for a time, or for steps of the simulated
 * chain, comes closer to it.
 *
 * What a payment awaits of a test network keeps its own time, so times ahead of such a payment come no earlier than now:
 * what its network took until now still counts as before them.
 */
export const shiftTestPaymentsSql = `
WITH open AS (
  SELECT id FROM payments
  WHERE integration_id = $1 AND mode = 'test' AND (due_at IS NOT NULL OR late_until > $3 OR id = ANY ($4))
  ORDER BY id FOR UPDATE
), shifted AS (
  UPDATE payments p SET
    deadline = ${closer('deadline')},
    due_at = ${closer('due_at')},
    late_until = ${closer('late_until')}
  FROM open WHERE p.id = open.id
  RETURNING p.id, p.awaited_rails
)
UPDATE payment_transfers t SET
  seen_at = seen_at - $2 * interval '1 second',
  gone_at = gone_at - $2 * interval '1 second'
FROM shifted WHERE t.payment_id = shifted.id AND shifted.awaited_rails = '{}'`;
