import type { Mode } from '../identity/integration.ts';
import type { Party } from './accounts.ts';
import { bySeq, seqIs } from './entry-blocks.ts';

// An UPDATE first applies the row's CHECK to the version of its statement's snapshot, and only then finds a newer version
// that another transaction committed. So every column that the CHECK reads is written from `locked`, which has the newest
// version: no other transaction can change it until this one ends.
const movedSql = `
  UPDATE ledger_accounts a SET balance = l.balance + net.units, held = l.held
  FROM (SELECT account, sum(units) AS units FROM legs GROUP BY account) net JOIN locked l ON l.id = net.account
  WHERE a.id = l.id`;

/**
 * An account by its key, looked up for each row. A plain join with a list of unknown length is planned for a hundred rows
 * and reads all accounts.
 */
const accountOf = (side: 'debit' | 'credit', alias: string): string => `LATERAL (
    SELECT a.id, a.stored, a.kind FROM ledger_accounts a
    WHERE a.owner = t.${side}_owner AND a.kind = t.${side}_kind AND a.mode = t.mode AND a.asset = t.asset LIMIT 1
  ) ${alias} ON true`;

/**
 * Posts many transfers in one statement. Known ids are skipped, the accounts are locked in the order of their ids, a
 * running sum for each debit account decides which rows fit, and each account is written once. The sum contains the
 * debits of earlier rows, and their credits from accounts that cannot be short. A row that does not fit does not affect
 * the others. While an account is missing nothing is locked or posted: accounts are opened before any is locked.
 */
export const postTransfersSql = `
WITH input AS MATERIALIZED (
  SELECT t.n, t.id, t.units, t.cause, t.cause_id, t.key_id, t.address, d.id AS debit,
    d.stored AND d.kind NOT IN ('receivable', 'direct') AS guarded, c.id AS credit
  FROM json_to_recordset($1) AS t(n int, id uuid, units numeric, cause text, cause_id uuid, key_id uuid,
    address text, mode text, asset text, debit_kind text, debit_owner text, credit_kind text, credit_owner text)
  LEFT JOIN ${accountOf('debit', 'd')}
  LEFT JOIN ${accountOf('credit', 'c')}
), known AS MATERIALIZED (
  SELECT k.id, k.debit, k.credit, k.units FROM ledger_transfers k WHERE k.id = ANY (ARRAY(SELECT id FROM input))
), missing AS MATERIALIZED (
  SELECT FROM input WHERE (debit IS NULL OR credit IS NULL) AND id NOT IN (SELECT id FROM known)
), locked AS MATERIALIZED (
  SELECT a.id, a.balance, a.held, a.balance - a.held AS available
  FROM ledger_accounts a
  WHERE a.stored AND a.id = ANY (ARRAY(SELECT debit FROM input UNION SELECT credit FROM input))
    AND NOT EXISTS (SELECT FROM missing)
  ORDER BY a.id
  FOR UPDATE
), fresh AS MATERIALIZED (
  SELECT * FROM input
  WHERE id NOT IN (SELECT id FROM known) AND NOT EXISTS (SELECT FROM missing)
), flows AS (
  SELECT n, debit AS account, -units AS units FROM fresh WHERE guarded
  UNION ALL
  SELECT n, credit, units FROM fresh WHERE NOT guarded
), running AS (
  SELECT n, account, sum(units) OVER (PARTITION BY account ORDER BY n) AS change FROM flows
), posted AS (
  INSERT INTO ledger_transfers (id, debit, credit, units, cause, cause_id, created_at, key_id, address)
  SELECT f.id, f.debit, f.credit, f.units, f.cause, f.cause_id, $2, f.key_id, f.address
  FROM fresh f
  LEFT JOIN running r ON r.n = f.n AND r.account = f.debit
  LEFT JOIN locked l ON l.id = f.debit
  WHERE NOT f.guarded OR l.available + r.change >= 0
  ORDER BY f.id
  ON CONFLICT (id) DO NOTHING
  RETURNING id, debit, credit, units
), legs AS (
  SELECT debit AS account, id, -units AS units FROM posted
  UNION ALL
  SELECT credit, id, units FROM posted
), entries AS (
  INSERT INTO ledger_entries (account, transfer, units) SELECT account, id, units FROM legs
), moved AS (
${movedSql}
), spent AS (
  SELECT debit, sum(units) AS units FROM posted GROUP BY debit
)
SELECT i.n, (i.debit IS NULL OR i.credit IS NULL) AS unopened, p.id IS NOT NULL AS posted,
  k.id IS NOT NULL AS known,
  (k.debit = i.debit AND k.credit = i.credit AND k.units = i.units) AS same,
  (NOT i.guarded OR i.units <= l.available - coalesce(s.units, 0)) AS fits
FROM input i
LEFT JOIN posted p ON p.id = i.id
LEFT JOIN known k ON k.id = i.id
LEFT JOIN locked l ON l.id = i.debit
LEFT JOIN spent s ON s.debit = i.debit
ORDER BY i.n`;

export type PostedRow = {
  n: number;
  unopened: boolean;
  posted: boolean;
  known: boolean;
  same: boolean | null;
  fits: boolean | null;
};

/** Sets units aside on accounts that have enough; returns no row for an account with too few. The caller locked them. */
export const placeHoldsSql = `
WITH input AS MATERIALIZED (
  SELECT t.id, t.units, t.cause, t.cause_id, d.id AS debit, c.id AS credit
  FROM json_to_recordset($1) AS t(id uuid, units numeric, cause text, cause_id uuid, mode text, asset text,
    debit_kind text, debit_owner text, credit_kind text, credit_owner text)
  JOIN ${accountOf('debit', 'd')}
  JOIN ${accountOf('credit', 'c')}
), enough AS (
  UPDATE ledger_accounts a SET held = a.held + wanted.units
  FROM (SELECT debit, sum(units) AS units FROM input GROUP BY debit) wanted
  WHERE a.id = wanted.debit AND a.id = ANY (ARRAY(SELECT debit FROM input)) AND a.balance - a.held >= wanted.units
  RETURNING a.id
)
INSERT INTO ledger_holds (id, debit, credit, units, cause, cause_id, created_at)
SELECT i.id, i.debit, i.credit, i.units, i.cause, i.cause_id, $2
FROM input i JOIN enough ON enough.id = i.debit
RETURNING id`;

/** Ends pending holds and frees their units; returns no row for a hold that had ended before. */
export const endHoldsSql = `
WITH hold AS (
  UPDATE ledger_holds SET state = $2, ended_at = $3 WHERE id = ANY ($1) AND state = 'pending'
  RETURNING id, debit, credit, units, cause, cause_id
), freed AS (
  UPDATE ledger_accounts a SET held = a.held - ended.units
  FROM (SELECT debit, sum(units) AS units FROM hold GROUP BY debit) ended
  WHERE a.id = ended.debit
)
SELECT h.id, h.units, h.cause, h.cause_id, d.mode, d.asset, d.kind AS debit_kind, d.owner AS debit_owner,
  c.kind AS credit_kind, c.owner AS credit_owner
FROM hold h JOIN ledger_accounts d ON d.id = h.debit JOIN ledger_accounts c ON c.id = h.credit`;

export type EndedHoldRow = {
  id: string;
  units: bigint;
  cause: string;
  cause_id: string | null;
  mode: Mode;
  asset: string;
  debit_kind: Party['kind'];
  debit_owner: string;
  credit_kind: Party['kind'];
  credit_owner: string;
};

export const balancesSql = `
SELECT asset, balance - held AS available, held FROM ledger_accounts a
WHERE owner = $1 AND kind = $2 AND mode = $3 AND EXISTS (SELECT FROM ledger_entries WHERE account = a.id)
ORDER BY asset`;

export const entriesSql = `
SELECT e.seq, e.units, t.id AS transfer, t.cause, t.cause_id, t.created_at, a.asset
FROM ledger_entries e
JOIN ledger_accounts a ON a.id = e.account
JOIN ledger_transfers t ON t.id = e.transfer
WHERE e.account IN (
    SELECT id FROM ledger_accounts
    WHERE owner = $1 AND kind = $2 AND mode = $3 AND ($4::text IS NULL OR asset = $4)
  ) AND ($5::bigint IS NULL OR (${seqIs('e', '<', '$5')}))
${bySeq('e', ' DESC')} LIMIT $6`;

export const movementsSql = `
SELECT t.id, t.created_at AS at, d.asset, t.units, t.cause, d.kind AS "from", c.kind AS "to"
FROM ledger_transfers t
JOIN ledger_accounts d ON d.id = t.debit
JOIN ledger_accounts c ON c.id = t.credit
WHERE t.cause_id = $1
ORDER BY t.created_at, t.id LIMIT 100`;

/** Accounts are locked in the order of their ids, as everywhere. */
export const bulkPostSql = `
WITH locked AS MATERIALIZED (
  SELECT id, balance, held FROM ledger_accounts
  WHERE stored AND (owner, kind, mode, asset) IN (
    SELECT debit_owner, debit_kind, mode, asset FROM bulk_transfers
    UNION SELECT credit_owner, credit_kind, mode, asset FROM bulk_transfers
  )
  ORDER BY id FOR UPDATE
), resolved AS MATERIALIZED (
  SELECT t.id, t.at, t.units, t.cause, t.cause_id, d.id AS debit, c.id AS credit
  FROM bulk_transfers t
  JOIN ledger_accounts d ON d.owner = t.debit_owner AND d.kind = t.debit_kind
    AND d.mode = t.mode AND d.asset = t.asset
  JOIN ledger_accounts c ON c.owner = t.credit_owner AND c.kind = t.credit_kind
    AND c.mode = t.mode AND c.asset = t.asset
), legs AS (
  SELECT debit AS account, id, at, -units AS units FROM resolved
  UNION ALL
  SELECT credit, id, at, units FROM resolved
), entries AS (
  INSERT INTO ledger_entries (account, transfer, units) SELECT account, id, units FROM legs ORDER BY at, id
), moved AS (
${movedSql}
)
INSERT INTO ledger_transfers (id, debit, credit, units, cause, cause_id, created_at)
SELECT id, debit, credit, units, cause, cause_id, at FROM resolved ORDER BY at, id`;
