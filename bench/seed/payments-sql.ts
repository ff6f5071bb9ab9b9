// Made-up payments, for trying the dashboard with as many as a busy merchant has.

/** A version 7 UUID of the moment `at`, in SQL. */
export const idAtSql = (at: string): string =>
  `(lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
    || '8' || substr(md5(random()::text), 1, 15))::uuid`;

const names = `'{ada,ben,chidi,dana,emeka,fatima,george,hana,ivan,june,kofi,lena,marco,nia,omar,priya}'::text[]`;
const families = `'{okafor,smith,garcia,nguyen,kowalski,haddad,rossi,tanaka,mensah,larsen,silva,dubois}'::text[]`;
const places = `'{example.com,example.org,example.net,mail.example,shop.example}'::text[]`;
const seconds = (span: string): string => `(${span}) * interval '1 second'`;

/**
 * What becomes of $3 payments created between $4 and $5, numbered from $6, among $7 customers. Each is drawn
 * once: what it is worth, how it is paid, and its times.
 */
export const drawSql = `
CREATE TEMP TABLE seed_payments ON COMMIT DROP AS
WITH drawn AS MATERIALIZED (
  SELECT n, random() AS fate, random() AS coin, random() AS richness, random() AS speed, random() AS extra,
    floor($7 * power(random(), 2))::bigint AS customer,
    date_trunc('milliseconds', $4::timestamptz + ($5::timestamptz - $4) * ((n + random()) / $3)) AS created_at
  FROM generate_series(0, $3::int - 1) AS n
), valued AS (
  SELECT *,
    CASE WHEN coin < 0.45 THEN 'USDC' WHEN coin < 0.80 THEN 'USDT' WHEN coin < 0.98 THEN 'PI' ELSE 'CSK' END
      AS currency,
    CASE
      WHEN created_at > $8::timestamptz - interval '15 minutes' THEN 'open'
      WHEN fate < 0.60 THEN 'paid' WHEN fate < 0.62 THEN 'overpaid' WHEN fate < 0.63 THEN 'late'
      WHEN fate < 0.645 THEN 'part_paid' WHEN fate < 0.65 THEN 'disputed' WHEN fate < 0.66 THEN 'pending'
      WHEN fate < 0.69 THEN 'failed' WHEN fate < 0.70 THEN 'merchant' WHEN fate < 0.72 THEN 'customer'
      ELSE 'abandoned'
    END AS story,
    round((2 * power(10, 2.6 * richness))::numeric, 2) AS value
  FROM drawn
)
SELECT ${idAtSql('v.created_at')} AS id, $6 + n AS number, story, v.currency, created_at, customer, extra,
  'PAY_' || upper(lpad(to_hex(extract(epoch FROM created_at)::bigint), 8, '0')
    || substr(md5(random()::text), 1, 20)) AS reference,
  value, value * power(10::numeric, c.scale) AS amount,
  round(value * power(10::numeric, c.scale) * $9::int / 10000) AS fee, c.scale,
  a.code AS asset, power(10::numeric, a.scale - c.scale) AS finer,
  CASE WHEN story IN ('open', 'customer') OR (story = 'abandoned' AND extra < 0.5) THEN NULL
    ELSE created_at + ${seconds('20 + round(100 * speed)')} END AS linked_at,
  round(speed * 240) AS haste, gen_random_uuid() AS ledger_id
FROM valued v
JOIN (VALUES ('PI', 7), ('USDC', 6), ('USDT', 6), ('CSK', 6)) c (currency, scale) ON c.currency = v.currency
JOIN LATERAL (
  SELECT code, scale FROM json_to_recordset($10) AS a (code text, currency text, scale int)
  WHERE a.currency = v.currency ORDER BY (extra * 1000)::int % 7 = length(code) % 7 DESC, code LIMIT 1
) a ON true
WHERE $1::uuid IS NOT NULL AND $2::text = 'test'`;

/** The times that follow from the first two: of the deadline, and of the money. */
export const timesSql = `
ALTER TABLE seed_payments ADD COLUMN deadline timestamptz, ADD COLUMN seen_at timestamptz,
  ADD COLUMN final_at timestamptz, ADD COLUMN ended_at timestamptz, ADD COLUMN received numeric;
UPDATE seed_payments SET deadline = coalesce(linked_at, created_at) + interval '10 minutes';
UPDATE seed_payments SET
  seen_at = CASE WHEN story IN ('paid', 'overpaid', 'disputed', 'pending', 'part_paid')
      THEN linked_at + ${seconds('30 + haste')}
    WHEN story = 'late' THEN deadline + ${seconds('60 + 20 * haste')} END,
  received = CASE story WHEN 'overpaid' THEN amount + round(amount / 2) WHEN 'part_paid' THEN ceil(amount / 2)
    ELSE amount END * finer;
UPDATE seed_payments SET final_at = seen_at + ${seconds('20 + haste')}
WHERE seen_at IS NOT NULL AND story <> 'pending';
UPDATE seed_payments SET ended_at = CASE
  WHEN story IN ('part_paid', 'abandoned') THEN deadline
  WHEN final_at IS NOT NULL THEN final_at
  WHEN story IN ('failed', 'merchant', 'customer') THEN coalesce(linked_at, created_at) + ${seconds('5 + haste')}
  END`;

export const insertSql = `
INSERT INTO payments (id, reference, token, integration_id, mode, status, reason, payment_type, currency, amount,
  fee, fee_payer, amount_due, customer_email, customer_reference, success_url, failure_url, item_list, meta_data,
  meta_terms, payment_note, method, deadline, deadline_seconds, linked_at, completed_at, late_until,
  late_window_seconds, due_at, version, event_sequence, is_late, is_part_paid, is_overpaid, created_at, updated_at)
SELECT s.id, reference, replace(replace(encode(sha256(s.id::text::bytea || random()::text::bytea), 'base64'), '+', '-'), '/', '_')::varchar(22),
  $1::uuid, $2,
  CASE story WHEN 'open' THEN 'unlinked' WHEN 'pending' THEN 'pending' WHEN 'failed' THEN 'failed'
    WHEN 'part_paid' THEN 'in-appeal' WHEN 'disputed' THEN 'in-appeal'
    WHEN 'merchant' THEN 'cancelled' WHEN 'customer' THEN 'cancelled' WHEN 'abandoned' THEN 'cancelled'
    ELSE 'completed' END,
  CASE story WHEN 'failed' THEN 'simulated' WHEN 'disputed' THEN 'disputed' WHEN 'part_paid' THEN 'part_paid'
    WHEN 'merchant' THEN 'merchant' WHEN 'customer' THEN 'customer' WHEN 'abandoned' THEN 'abandoned' END,
  'deposit', currency, amount, fee, 'merchant', amount,
  CASE WHEN extra < 0.85 THEN (${names})[1 + customer % 16] || '.' || (${families})[1 + customer / 16 % 12]
    || customer || '@' || (${places})[1 + customer % 5] END,
  'cust_' || customer,
  'https://shop.example/thanks', 'https://shop.example/basket',
  CASE WHEN extra < 0.3 THEN json_build_object('items', json_build_array(json_build_object(
    'name', 'Item ' || s.number % 400, 'price', value, 'quantity', 1))) END,
  CASE WHEN extra < 0.7 THEN format('{"order":"%s","cart":%s}', o.number, s.number % 100000) END,
  CASE WHEN extra < 0.7 THEN ARRAY[${termSql('o.number')}, ${termSql('(s.number % 100000)::text')}] END,
  CASE WHEN extra < 0.02 THEN 'Leave it with the neighbours' END,
  CASE WHEN linked_at IS NOT NULL THEN asset END, deadline, 600, linked_at,
  CASE WHEN story IN ('paid', 'overpaid', 'late', 'disputed') THEN final_at END,
  CASE WHEN story IN ('late', 'abandoned') THEN deadline + interval '1 day' END, 86400,
  CASE WHEN story = 'open' THEN deadline END, 1 + k.steps, k.steps, story = 'late', story = 'part_paid',
  story = 'overpaid', created_at, coalesce(m.at, created_at)
FROM seed_payments s
CROSS JOIN LATERAL (SELECT 'ORD-' || to_char(created_at, 'YYMMDD') || '-' || s.number AS number) o
LEFT JOIN (SELECT id, count(*) AS steps, max(at) AS at FROM seed_moves GROUP BY id) m USING (id)
CROSS JOIN LATERAL (SELECT coalesce(m.steps, 0) AS steps) k
ORDER BY created_at`;

/** As `termOf` makes it. */
function termSql(value: string): string {
  return `('x' || encode(substr(sha256(convert_to($1::uuid || ' ' || $2::text || ' ' || lower(${value}), 'UTF8')), 1, 8),
    'hex'))::bit(64)::bigint`;
}

/** Each step of each payment: its number, time, statuses, and the event that tells of it. */
export const movesSql = `
CREATE TEMP TABLE seed_moves ON COMMIT DROP AS
SELECT s.id, row_number() OVER (PARTITION BY s.id ORDER BY step.at, step.rank)::int AS n, step.*
FROM seed_payments s
CROSS JOIN LATERAL (VALUES
  (1, linked_at, 'unlinked', 'linked', NULL, 'payment_linked', linked_at IS NOT NULL),
  (2, CASE WHEN story = 'late' THEN deadline ELSE ended_at END,
    CASE WHEN linked_at IS NULL THEN 'unlinked' ELSE 'linked' END, 'cancelled',
    CASE WHEN story = 'late' THEN 'abandoned' ELSE story END,
    CASE WHEN story IN ('late', 'abandoned') THEN 'payment_abandoned' ELSE 'payment_cancelled' END,
    story IN ('late', 'abandoned', 'merchant', 'customer')),
  (3, seen_at, 'linked', 'pending', NULL, 'payment_pending', seen_at IS NOT NULL AND story <> 'late'),
  (4, final_at, CASE WHEN story = 'late' THEN 'cancelled' ELSE 'pending' END, 'completed', NULL,
    'payment_completed', story IN ('paid', 'overpaid', 'late', 'disputed')),
  (5, ended_at, CASE WHEN linked_at IS NULL THEN 'unlinked' ELSE 'linked' END, 'failed', 'simulated',
    'payment_failed', story = 'failed'),
  (6, ended_at, 'pending', 'in-appeal', 'part_paid', 'payment_in_appeal', story = 'part_paid'),
  (7, final_at + interval '1 hour', 'completed', 'in-appeal', 'disputed', 'payment_in_appeal', story = 'disputed')
) AS step (rank, at, from_status, to_status, reason, event, happened)
WHERE happened`;

export const insertMovesSql = `
INSERT INTO payment_moves (payment_id, version, at, from_status, to_status, reason)
SELECT id, 1 + n, at, from_status, to_status, reason FROM seed_moves`;

/** As mailed already: no mail is sent about invented appeals. */
export const insertAppealsSql = `
INSERT INTO appeals (id, payment_id, integration_id, mode, reason, opened_from, opened_at, mailed_at)
SELECT ${idAtSql('at')}, id, $1::uuid, $2, reason, from_status, at, at
FROM seed_moves WHERE to_status = 'in-appeal'`;

export const insertTransfersSql = `
INSERT INTO payment_transfers (rail, key, payment_id, ledger_id, transaction, asset, units, state, confirmations,
  needed, seen_at, final_at, sender)
SELECT 'simulated', hash, id, ledger_id, hash, asset, received,
  CASE WHEN final_at IS NULL THEN 'seen' ELSE 'final' END, CASE WHEN final_at IS NULL THEN 1 ELSE 3 END, 3,
  seen_at, final_at, 'test_' || substr(encode(sha256(('seed ' || customer)::bytea), 'hex'), 1, 40)
FROM (SELECT *, 'test_' || md5(id::text || random()) AS hash FROM seed_payments WHERE seen_at IS NOT NULL) s`;

export const insertDisputesSql = `
INSERT INTO payment_claims (id, payment_id, kind, content, created_at)
SELECT ${idAtSql('final_at')}, id, 'dispute', 'The parcel has not come', final_at + interval '1 hour'
FROM seed_payments WHERE story = 'disputed'`;

/** What is final is booked as `settle` books it. */
export const bookSql = `
INSERT INTO bulk_transfers
SELECT leg.id, s.final_at, $2, s.asset, leg.units, leg.debit_kind, leg.debit_owner, leg.credit_kind,
  leg.credit_owner, leg.cause, s.id
FROM seed_payments s
CROSS JOIN LATERAL (VALUES
  (ledger_id, received, 'external', 'simulated', 'suspense', $1::text, 'payment_received', true),
  (${idAtSql('final_at')}, (amount - fee) * finer, 'suspense', $1::text, 'business', $1::text, 'payment_settled',
    story <> 'part_paid'),
  (${idAtSql('final_at')}, fee * finer, 'suspense', $1::text, 'fees', '', 'payment_fee', story <> 'part_paid'),
  (${idAtSql('final_at')}, received - amount * finer, 'suspense', $1::text, 'payable', $1::text, 'payment_surplus',
    story = 'overpaid')
) AS leg (id, units, debit_kind, debit_owner, credit_kind, credit_owner, cause, applies)
WHERE s.final_at IS NOT NULL AND leg.applies AND leg.units > 0`;
