import type { Reader, Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { firstIdAt, newId } from '../../kit/ids.ts';

/** Who makes a change: a signed-in person, a user of a wallet, an API key, the command line, or the gateway by itself. */
export type Actor = {
  kind: 'account' | 'user' | 'key' | 'command' | 'gateway';
  id: string | null;
  /** An e-mail address, a username, or the end of a key. */
  name: string;
  asOperator: boolean;
  address: string | null;
};

/** A change on this installation's command line. */
export const commandActor: Actor = {
  kind: 'command',
  id: null,
  name: 'command line',
  asOperator: true,
  address: null,
};

export const gatewayActor: Actor = {
  kind: 'gateway',
  id: null,
  name: 'Florin',
  asOperator: false,
  address: null,
};

/** What changed, with the state before and after. Neither may hold a secret. */
export type Change = {
  /** In words: `rolled a key`. */
  action: string;
  subject: { kind: string; id: string };
  before?: object | null;
  after?: object | null;
  merchantId?: string | null;
  integrationId?: string | null;
};

/**
 * Writes a change to the append-only log, in the transaction that makes it. Of a person only the id is kept: the
 * address is read from the account, and is gone with it.
 */
export async function recordChange(tx: Tx, actor: Actor, change: Change, now: Date): Promise<void> {
  await tx.query(
    `INSERT INTO audit_log (id, at, actor_kind, actor_id, actor_name, as_operator, address, merchant_id,
       integration_id, action, subject_kind, subject_id, before, after)
     VALUES ($1, $2, $3, $4, $5, $6, $7,
       coalesce($8, (SELECT merchant_id FROM integrations WHERE id = $9)), $9, $10, $11, $12, $13, $14)`,
    [
      newId(now),
      now,
      actor.kind,
      actor.id,
      actor.kind === 'account' && actor.id !== null ? '' : actor.name,
      actor.asOperator,
      actor.address,
      change.merchantId ?? null,
      change.integrationId ?? null,
      change.action,
      change.subject.kind,
      change.subject.id,
      change.before ?? null,
      change.after ?? null,
    ],
  );
}

/** Whether people of a business have changed anything in the dashboard since a time, or operators anything at all. */
export async function isChangedSince(
  reader: Reader,
  merchantId: string | null,
  since: Date,
): Promise<boolean> {
  const found = await reader.query<{ changed: boolean }>({
    name: 'changed-since',
    text: `SELECT EXISTS (SELECT FROM audit_log WHERE merchant_id = $1 AND id > $2 AND actor_kind = 'account')
             OR EXISTS (SELECT FROM audit_log WHERE as_operator AND id > $2) AS changed`,
    values: [merchantId, firstIdAt(since)],
  });
  return oneRow(found, 'change').changed;
}

export type AuditEntry = {
  id: string;
  at: Date;
  actor: { kind: Actor['kind'] | 'stranger'; name: string; as_operator: boolean; address: string | null };
  integration_id: string | null;
  action: string;
  /** `name`: of an account its address, of a business or an integration its name; null of anything else. */
  subject: { kind: string; id: string; name: string | null };
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

// Entries from before migration 0207 hold the address of that time.
const nameOfActor = `coalesce((
    SELECT CASE WHEN a.closed_at IS NOT NULL THEN a.name WHEN actor_name = '' THEN a.email ELSE actor_name END
    FROM accounts a WHERE a.id = actor_id AND actor_kind = 'account'), actor_name)`;

// The name is read when the entry is shown, so that it is gone with the account. Ids of other kinds may be no UUIDs.
const subjectId = (...kinds: string[]): string =>
  `(CASE WHEN subject_kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})
    AND subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN subject_id::uuid END)`;
const subjectColumn = `json_build_object('kind', subject_kind, 'id', subject_id, 'name', coalesce(
    (SELECT CASE WHEN a.closed_at IS NULL THEN a.email ELSE a.name END FROM accounts a
      WHERE a.id = ${subjectId('account', 'member')}),
    (SELECT m.name FROM merchants m WHERE m.id = ${subjectId('merchant')}),
    (SELECT i.name FROM integrations i WHERE i.id = ${subjectId('integration')}))) AS subject`;

const columns = `id, at, integration_id, action, before, after,
  json_build_object('kind', actor_kind, 'name', ${nameOfActor}, 'as_operator', as_operator, 'address', address)
    AS actor,
  ${subjectColumn}`;

/** Whose entries: one merchant's, those of operators in that role, or those about one subject. */
export type AuditScope =
  | { merchantId: string }
  | { operators: true }
  /** Everybody's. */
  | { all: true }
  | { subject: { kind: string; id: string } };

/** Which entries. Names match by any part, in upper or lower case; `to` is exclusive. */
export type AuditFilter = {
  person?: string;
  action?: string;
  integrationId?: string;
  from?: string;
  to?: string;
};

/** Changes of who may do what, by kind. The security log has these, and the events that change nothing. */
export const securityChanges = {
  factors: [
    'signed in with a recovery code',
    'changed the password',
    'reset the password',
    'changed the e-mail address',
    'turned two-factor sign-in on',
    'turned two-factor sign-in off',
    'made new recovery codes',
    'added a passkey',
    'removed a passkey',
    'reset the second factors',
  ],
  keys: [
    'made a key',
    'made the test signing key',
    'made the live signing key',
    'rolled a key',
    'revoked a key',
  ],
} as const;

// The name of a stranger is that of the account that they tried.
const nameOfEvent = `coalesce((
    SELECT CASE WHEN a.closed_at IS NOT NULL THEN a.name ELSE a.email END
    FROM accounts a
    WHERE actor_name = '' AND a.id = coalesce(actor_id, CASE WHEN subject_kind = 'account' THEN subject_id::uuid END)
  ), actor_name)`;

const eventColumns = `id, at, integration_id, action, NULL::jsonb AS before,
  jsonb_strip_nulls(jsonb_build_object('times', count, 'until', until, 'detail', detail)) AS after,
  json_build_object('kind', actor_kind, 'name', ${nameOfEvent}, 'as_operator', false, 'address', address) AS actor,
  ${subjectColumn}`;

type Rows = {
  before: string | null;
  /** Only entries after this one. */
  after?: string;
  limit: number;
};

/** Up to `limit` entries before the entry `before` (or the newest), newest first. */
export async function auditEntries(
  reader: Reader,
  scope: AuditScope,
  page: Rows,
  filter: AuditFilter = {},
): Promise<AuditEntry[]> {
  const values: unknown[] = [page.before, page.limit];
  const conditions = conditionsOf('audit_log', scope, { ...filter, ...page }, values);
  const { rows } = await reader.query<AuditEntry>(
    `SELECT ${columns} FROM audit_log WHERE ${conditions} ORDER BY id DESC LIMIT $2`,
    values,
  );
  return rows;
}

/** The same of the security log: failures, refusals and limits, with `securityChanges`, or with all changes. */
export async function securityEntries(
  reader: Reader,
  scope: AuditScope,
  page: Rows,
  { about = 'security', ...filter }: AuditFilter & { about?: 'security' | 'everything' } = {},
): Promise<AuditEntry[]> {
  const shown = about === 'security' ? Object.values(securityChanges).flat() : null;
  const values: unknown[] = [page.before, page.limit, shown];
  const changes = conditionsOf('audit_log', scope, { ...filter, ...page }, values);
  const events = conditionsOf('security_events', scope, { ...filter, ...page }, values);
  const { rows } = await reader.query<AuditEntry>(
    `SELECT * FROM (
       (SELECT ${columns} FROM audit_log WHERE ${changes} AND ($3::text[] IS NULL OR action = ANY ($3))
       ORDER BY id DESC LIMIT $2)
       UNION ALL
       (SELECT ${eventColumns} FROM security_events WHERE ${events} ORDER BY id DESC LIMIT $2)
     ) entries ORDER BY id DESC LIMIT $2`,
    values,
  );
  return rows;
}

/** SQL: which rows of the table are shown. Appends the values that it uses to `values`, of which $1 is `before`. */
function conditionsOf(
  table: 'audit_log' | 'security_events',
  scope: AuditScope,
  { after, person, action, integrationId, from, to }: AuditFilter & Rows,
  values: unknown[],
): string {
  const bind = (value: unknown) => `$${values.push(value)}`;
  const hasStaff = table === 'audit_log';
  const conditions = ['($1::uuid IS NULL OR id < $1)', scopeCondition(scope, bind, hasStaff)];
  if (after !== undefined) conditions.push(`id > ${bind(after)}`);
  if (person !== undefined) {
    conditions.push(`position(lower(${bind(person)}) IN lower(${hasStaff ? nameOfActor : nameOfEvent})) > 0`);
  }
  if (action !== undefined) conditions.push(`position(lower(${bind(action)}) IN lower(action)) > 0`);
  if (integrationId !== undefined) conditions.push(`integration_id = ${bind(integrationId)}`);
  if (from !== undefined) conditions.push(`at >= ${bind(new Date(from))}`);
  if (to !== undefined) conditions.push(`at < ${bind(new Date(to))}`);
  return conditions.join(' AND ');
}

function scopeCondition(scope: AuditScope, bind: (value: string) => string, hasStaff: boolean): string {
  if ('merchantId' in scope) return `merchant_id = ${bind(scope.merchantId)}`;
  if ('operators' in scope) return hasStaff ? 'as_operator' : 'false';
  if ('all' in scope) return 'true';
  return `subject_kind = ${bind(scope.subject.kind)} AND subject_id = ${bind(scope.subject.id)}`;
}
