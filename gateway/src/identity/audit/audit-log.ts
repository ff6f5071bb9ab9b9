import type { Reader, Tx } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';

/** Who makes a change: a signed-in person, an API key, the command line, or the gateway by itself. */
export type Actor = {
  kind: 'account' | 'key' | 'command' | 'gateway';
  id: string | null;
  /** An e-mail address, or the end of a key. */
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

/** Writes a change to the append-only log, in the transaction that makes it. */
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
      actor.name,
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

export type AuditEntry = {
  id: string;
  at: Date;
  actor: { kind: Actor['kind']; name: string; as_operator: boolean; address: string | null };
  integration_id: string | null;
  action: string;
  subject: { kind: string; id: string };
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

const columns = `id, at, integration_id, action, before, after,
  json_build_object('kind', actor_kind, 'name', actor_name, 'as_operator', as_operator, 'address', address)
    AS actor,
  json_build_object('kind', subject_kind, 'id', subject_id) AS subject`;

/** Whose entries: one merchant's, those of operators in that role, or those about one subject. */
export type AuditScope =
  | { merchantId: string }
  | { operators: true }
  | { subject: { kind: string; id: string } };

/** Which of them. Names match by any part, in upper or lower case; `to` is exclusive. */
export type AuditFilter = {
  person?: string;
  action?: string;
  integrationId?: string;
  from?: string;
  to?: string;
};

/** Up to `limit` entries before the entry `before` (or the newest), newest first. */
export async function auditEntries(
  reader: Reader,
  scope: AuditScope,
  { before, limit }: { before: string | null; limit: number },
  filter: AuditFilter = {},
): Promise<AuditEntry[]> {
  const values: unknown[] = [before, limit];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['($1::uuid IS NULL OR id < $1)', scopeCondition(scope, bind)];
  const { person, action, integrationId, from, to } = filter;
  if (person !== undefined) conditions.push(`position(lower(${bind(person)}) IN lower(actor_name)) > 0`);
  if (action !== undefined) conditions.push(`position(lower(${bind(action)}) IN lower(action)) > 0`);
  if (integrationId !== undefined) conditions.push(`integration_id = ${bind(integrationId)}`);
  if (from !== undefined) conditions.push(`at >= ${bind(new Date(from))}`);
  if (to !== undefined) conditions.push(`at < ${bind(new Date(to))}`);
  const { rows } = await reader.query<AuditEntry>(
    `SELECT ${columns} FROM audit_log WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT $2`,
    values,
  );
  return rows;
}

function scopeCondition(scope: AuditScope, bind: (value: string) => string): string {
  if ('merchantId' in scope) return `merchant_id = ${bind(scope.merchantId)}`;
  if ('operators' in scope) return 'as_operator';
  return `subject_kind = ${bind(scope.subject.kind)} AND subject_id = ${bind(scope.subject.id)}`;
}
