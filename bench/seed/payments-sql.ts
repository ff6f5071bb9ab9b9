// Invented payments, to try the dashboard with as many as a busy merchant has. The work for each of millions is cheap: times
// are milliseconds since 1970 until they are written, values whole cents, and no statement sorts wide rows.

/** SQL for the time of milliseconds since 1970. */
const atSql = (ms: string): string => `to_timestamp((${ms}) / 1000::float8)`;

/** SQL for a version 7 UUID of milliseconds since 1970; 60 of its bits are random. */
const idAtSql = (ms: string): string =>
  `('0' || to_hex(${ms}) || '70008' || substr(md5(random()::text), 1, 15))::uuid`;

/** SQL for a decimal with the digits that JSON gives it. */
const decimalSql = (units: string, scale: string): string => `((${units}) / ${scale}::float8)::text`;

const names = `'{ada,ben,chidi,dana,emeka,fatima,george,hana,ivan,june,kofi,lena,marco,nia,omar,priya}'::text[]`;
const families = `'{okafor,smith,garcia,nguyen,kowalski,haddad,rossi,tanaka,mensah,larsen,silva,dubois}'::text[]`;
const places = `'{example.com,example.org,example.net,mail.example,shop.example}'::text[]`;

/**
 * Draws $1 payments created between $2 and $3, numbered from $4, of $5 customers, in the order of their creation: for each
 * its value, how it is paid, and its times. $6: now, $7: the fee, $8: the assets.
 */
export const drawSql = `
CREATE TEMP TABLE seed_payments ON COMMIT DROP AS
WITH assets AS MATERIALIZED (
  SELECT a.currency, c.scale, c.scale / 100 AS cent, array_agg(a.code ORDER BY a.code) AS codes,
    array_agg(power(10::numeric, a.scale) / c.scale ORDER BY a.code) AS finer
  FROM json_to_recordset($8) AS a (code text, currency text, scale int)
  JOIN (VALUES ('PI', 10000000), ('USDC', 1000000), ('USDT', 1000000), ('CSK', 1000000)) c (currency, scale)
    ON c.currency = a.currency
  GROUP BY a.currency, c.scale
), drawn AS MATERIALIZED (
  SELECT n, random() AS fate, random() AS coin, random() AS richness, random() AS speed, random() AS extra,
    floor($5 * power(random(), 2))::bigint AS customer,
    floor($2::bigint + ($3::bigint - $2::bigint) * ((n + random()) / $1))::bigint AS created
  FROM generate_series(0, $1::int - 1) AS n
), valued AS MATERIALIZED (
  SELECT n, customer, created, extra, round(speed * 240)::bigint * 1000 AS haste,
    20000 + round(100 * speed)::bigint * 1000 AS pause,
    CASE WHEN coin < 0.45 THEN 'USDC' WHEN coin < 0.80 THEN 'USDT' WHEN coin < 0.98 THEN 'PI' ELSE 'CSK' END
      AS currency,
    CASE
      WHEN created > $6::bigint - 900000 THEN 'open'
      WHEN fate < 0.60 THEN 'paid' WHEN fate < 0.62 THEN 'overpaid' WHEN fate < 0.63 THEN 'late'
      WHEN fate < 0.645 THEN 'part_paid' WHEN fate < 0.65 THEN 'disputed' WHEN fate < 0.66 THEN 'pending'
      WHEN fate < 0.69 THEN 'failed' WHEN fate < 0.70 THEN 'merchant' WHEN fate < 0.72 THEN 'customer'
      ELSE 'abandoned'
    END AS story,
    round(200 * power(10, 2.6 * richness))::bigint AS cents
  FROM drawn
), linked AS MATERIALIZED (
  SELECT v.*, a.scale, cents * a.cent AS amount, (cents * a.cent * $7::int + 5000) / 10000 AS fee,
    a.codes[1 + n % cardinality(a.codes)] AS asset, a.finer[1 + n % cardinality(a.codes)] AS finer,
    CASE WHEN story IN ('open', 'customer') OR (story = 'abandoned' AND extra < 0.5) THEN NULL
      ELSE created + pause END AS linked
  FROM valued v JOIN assets a ON a.currency = v.currency
), seen AS MATERIALIZED (
  SELECT *, coalesce(linked, created) + 600000 AS deadline,
    CASE WHEN story IN ('paid', 'overpaid', 'disputed', 'pending', 'part_paid') THEN linked + 30000 + haste
      WHEN story = 'late' THEN linked + 660000 + 20 * haste END AS seen
  FROM linked
), final AS MATERIALIZED (
  SELECT *, CASE WHEN story <> 'pending' THEN seen + 20000 + haste END AS final FROM seen
)
SELECT ${idAtSql('created')} AS id, $4 + n AS number, story, currency, created, customer, extra,
  'PAY_' || upper(to_hex(created / 1000) || substr(md5(random()::text), 1, 20)) AS reference,
  ${decimalSql('cents', '100')} AS value, amount, fee, ${decimalSql('fee', 'scale')} AS fee_value, asset, finer,
  CASE story WHEN 'overpaid' THEN amount + amount / 2 WHEN 'part_paid' THEN (amount + 1) / 2 ELSE amount END * finer
    AS received,
  linked, deadline, seen, final, 'test_' || replace(${idAtSql('seen')}::text, '-', '') AS hash, ${idAtSql('seen')} AS ledger_id,
  CASE WHEN story IN ('part_paid', 'abandoned') THEN deadline
    WHEN story IN ('failed', 'merchant', 'customer') THEN coalesce(linked, created) + 5000 + haste
    ELSE final END AS ended,
  CASE story WHEN 'open' THEN 0 WHEN 'customer' THEN 1 WHEN 'pending' THEN 2 WHEN 'failed' THEN 2
    WHEN 'merchant' THEN 2 WHEN 'abandoned' THEN CASE WHEN linked IS NULL THEN 1 ELSE 2 END
    WHEN 'disputed' THEN 4 ELSE 3 END AS steps
FROM final ORDER BY n`;

/** `$1` integration, `$2` mode. */
export const insertSql = `
INSERT INTO payments (id, reference, token, integration_id, mode, status, reason, payment_type, currency, amount,
  fee, fee_payer, amount_due, customer_email, customer_reference, success_url, failure_url, item_list, meta_data,
  meta_terms, payment_note, method, deadline, deadline_seconds, linked_at, completed_at, late_until,
  late_window_seconds, due_at, version, event_sequence, is_late, is_part_paid, is_overpaid, created_at, updated_at)
SELECT s.id, reference, left(translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/', '-_'), 22),
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
  CASE WHEN extra < 0.3 THEN
    '{"items":[{"name":"Item ' || s.number % 400 || '","price":' || value || ',"quantity":1}]}' END::json,
  CASE WHEN extra < 0.7 THEN '{"order":"' || o.number || '","cart":' || s.number % 100000 || '}' END,
  CASE WHEN extra < 0.7 THEN ARRAY[${termSql('o.number')}, ${termSql('(s.number % 100000)::text')}] END,
  CASE WHEN extra < 0.02 THEN 'Leave it with the neighbours' END,
  CASE WHEN linked IS NOT NULL THEN asset END, ${atSql('deadline')}, 600, ${atSql('linked')},
  CASE WHEN story IN ('paid', 'overpaid', 'late', 'disputed') THEN ${atSql('final')} END,
  CASE WHEN story IN ('late', 'abandoned') THEN ${atSql('deadline + 86400000')} END, 86400,
  CASE WHEN story = 'open' THEN ${atSql('deadline')} END, 1 + steps, steps, story = 'late', story = 'part_paid',
  story = 'overpaid', ${atSql('created')},
  ${atSql("CASE WHEN story = 'disputed' THEN final + 3600000 ELSE coalesce(ended, seen, created) END")}
FROM seed_payments s
CROSS JOIN LATERAL (SELECT 'ORD-' || to_char(${atSql('created')}, 'YYMMDD') || '-' || s.number AS number OFFSET 0) o`;

/** The same term as `termOf` makes. */
function termSql(value: string): string {
  return `('x' || encode(substr(sha256(convert_to($1::uuid || ' ' || $2::text || ' ' || lower(${value}), 'UTF8')), 1, 8),
    'hex'))::bit(64)::bigint`;
}

/** Each step of each payment in the order of time: its number, statuses and event. */
export const movesSql = `
CREATE TEMP TABLE seed_moves ON COMMIT DROP AS
SELECT s.id, reference, currency, value, fee_value, customer, step.*, ${atSql('ms')} AS at,
  ${idAtSql('ms')} AS event_id
FROM seed_payments s
CROSS JOIN LATERAL (VALUES
  (1, linked, 'unlinked', 'linked', NULL, 'payment_linked', linked IS NOT NULL),
  (CASE WHEN linked IS NULL THEN 1 ELSE 2 END, CASE WHEN story = 'late' THEN deadline ELSE ended END,
    CASE WHEN linked IS NULL THEN 'unlinked' ELSE 'linked' END, 'cancelled',
    CASE WHEN story = 'late' THEN 'abandoned' ELSE story END,
    CASE WHEN story IN ('late', 'abandoned') THEN 'payment_abandoned' ELSE 'payment_cancelled' END,
    story IN ('late', 'abandoned', 'merchant', 'customer')),
  (2, seen, 'linked', 'pending', NULL, 'payment_pending', seen IS NOT NULL AND story <> 'late'),
  (3, final, CASE WHEN story = 'late' THEN 'cancelled' ELSE 'pending' END, 'completed', NULL,
    'payment_completed', story IN ('paid', 'overpaid', 'late', 'disputed')),
  (2, ended, 'linked', 'failed', 'simulated', 'payment_failed', story = 'failed'),
  (3, ended, 'pending', 'in-appeal', 'part_paid', 'payment_in_appeal', story = 'part_paid'),
  (4, final + 3600000, 'completed', 'in-appeal', 'disputed', 'payment_in_appeal', story = 'disputed')
) AS step (n, ms, from_status, to_status, reason, event, happened)
WHERE happened
ORDER BY ms`;

export const insertMovesSql = `
INSERT INTO payment_moves (payment_id, version, at, from_status, to_status, reason)
SELECT id, 1 + n, at, from_status, to_status, reason FROM seed_moves`;

/** They count as mailed already: no mail is sent about invented appeals. */
export const insertAppealsSql = `
INSERT INTO appeals (id, payment_id, integration_id, mode, reason, opened_from, opened_at, mailed_at)
SELECT ${idAtSql('ms')}, id, $1::uuid, $2, reason, from_status, at, at
FROM seed_moves WHERE to_status = 'in-appeal'`;

export const insertTransfersSql = `
INSERT INTO payment_transfers (rail, key, payment_id, ledger_id, transaction, asset, units, state, confirmations,
  needed, seen_at, final_at, sender)
SELECT 'simulated', hash, id, ledger_id, hash, asset, received,
  CASE WHEN final IS NULL THEN 'seen' ELSE 'final' END, CASE WHEN final IS NULL THEN 1 ELSE 3 END, 3,
  ${atSql('seen')}, ${atSql('final')}, 'test_' || substr(encode(sha256(('seed ' || customer)::bytea), 'hex'), 1, 40)
FROM seed_payments WHERE seen IS NOT NULL`;

export const insertDisputesSql = `
INSERT INTO payment_claims (id, payment_id, kind, content, created_at)
SELECT ${idAtSql('final')}, id, 'dispute', 'The parcel has not come', ${atSql('final + 3600000')}
FROM seed_payments WHERE story = 'disputed'`;

/** Books final transfers in the same way as `settle`. */
export const bookSql = `
INSERT INTO bulk_transfers
SELECT leg.id, ${atSql('final')}, $2, s.asset, leg.units, leg.debit_kind, leg.debit_owner, leg.credit_kind,
  leg.credit_owner, leg.cause, s.id
FROM seed_payments s
CROSS JOIN LATERAL (VALUES
  (ledger_id, received, 'external', 'simulated', 'suspense', $1::text, 'payment_received', true),
  (${idAtSql('final')}, (amount - fee) * finer, 'suspense', $1::text, 'business', $1::text, 'payment_settled',
    story <> 'part_paid'),
  (${idAtSql('final')}, fee * finer, 'suspense', $1::text, 'fees', '', 'payment_fee', story <> 'part_paid'),
  (${idAtSql('final')}, received - amount * finer, 'suspense', $1::text, 'payable', $1::text, 'payment_surplus',
    story = 'overpaid')
) AS leg (id, units, debit_kind, debit_owner, credit_kind, credit_owner, cause, applies)
WHERE s.final IS NOT NULL AND leg.applies AND leg.units > 0`;
