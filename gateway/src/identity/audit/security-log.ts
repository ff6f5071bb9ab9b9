import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import { createTokenBuckets } from '../../kit/http/token-bucket.ts';
import { firstIdAt, newId } from '../../kit/ids.ts';
import { clientKey } from '../../kit/net/client-address.ts';

/** Events about sign-ins, rights and limits that change nothing. In words, as the actions of the audit log. */
export const eventActions = [
  'failed to sign in',
  'failed the second step of a sign-in',
  'failed to confirm who they are',
  'confirmed who they are',
  'signed in from a new device',
  'was refused for lack of rights',
  'reached a limit',
  'used an unknown key',
] as const;

export type SecurityEvent = {
  action: (typeof eventActions)[number];
  /** A stranger has no id. Their name is that of the account that they tried. */
  actor: { kind: 'account' | 'key' | 'stranger'; id: string | null; name: string };
  address: string;
  subject: { kind: string; id: string };
  merchantId?: string | null;
  integrationId?: string | null;
  /** A word of Florin's, never text of the request. */
  detail: string | null;
};

/** A log of security events. Many equal ones take one row. */
export type SecurityLog = {
  note(event: SecurityEvent): void;
  /** Writes what was noted since the last call. A crash loses a few seconds. */
  flush(): Promise<void>;
};

type Row = {
  id: string;
  at: Date;
  until: Date;
  count: number;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string;
  address: string | null;
  merchant_id: string | null;
  integration_id: string | null;
  action: string;
  subject_kind: string;
  subject_id: string;
  detail: string | null;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The most rows; events beyond it are counted in one row for each action and hour. */
const room = { name: 'security events', perSecond: 500 / 3600, burst: 500 };

// Then no name is stored: the address is read from the account, and is gone with it.
const isAccounts = ({ actor, subject }: SecurityEvent): boolean =>
  actor.kind === 'account' || (actor.kind === 'stranger' && subject.kind === 'account');

const writeSql = `
INSERT INTO security_events (id, at, until, count, actor_kind, actor_id, actor_name, address, merchant_id,
  integration_id, action, subject_kind, subject_id, detail)
SELECT id, at, until, count, actor_kind, actor_id, actor_name, address,
  coalesce(merchant_id, (SELECT i.merchant_id FROM integrations i WHERE i.id = integration_id)),
  integration_id, action, subject_kind, subject_id, detail
FROM json_to_recordset($1) AS t (id uuid, at timestamptz, until timestamptz, count integer, actor_kind text,
  actor_id uuid, actor_name text, address text, merchant_id uuid, integration_id uuid, action text,
  subject_kind text, subject_id text, detail text)
ON CONFLICT (id) DO UPDATE SET until = excluded.until, count = excluded.count`;

export function createSecurityLog(db: Database, now: Clock): SecurityLog {
  const rows = new Map<string, Row>();
  const written = new Map<string, number>();
  const budget = createTokenBuckets(room);

  function rowOf(event: SecurityEvent, at: Date): Row {
    return {
      id: newId(at),
      at,
      until: at,
      count: 0,
      actor_kind: event.actor.kind,
      actor_id: event.actor.id,
      actor_name: isAccounts(event) ? '' : event.actor.name,
      address: clientKey(event.address),
      merchant_id: event.merchantId ?? null,
      integration_id: event.integrationId ?? null,
      action: event.action,
      subject_kind: event.subject.kind,
      subject_id: event.subject.id,
      detail: event.detail,
    };
  }

  function rowOfMany({ action }: SecurityEvent, at: Date): Row {
    const id = newId(at);
    const many = { kind: 'stranger', id: null, name: 'many' } as const;
    const subject = { kind: 'installation', id: 'many' };
    const event = {
      action: action as SecurityEvent['action'],
      actor: many,
      address: '',
      subject,
      detail: null,
    };
    return { ...rowOf(event, at), id, address: null };
  }

  return {
    note(event) {
      const at = now();
      const { action, actor, subject, integrationId, detail } = event;
      const where = clientKey(event.address);
      const minute = Math.floor(at.getTime() / minuteMs);
      let key = `${minute} ${action} ${actor.id} ${actor.name} ${where} ${subject.id} ${integrationId} ${detail}`;
      if (!rows.has(key) && !budget.take('rows', at.getTime()).allowed) {
        key = `many ${Math.floor(at.getTime() / hourMs)} ${action}`;
        if (!rows.has(key)) rows.set(key, rowOfMany(event, at));
      }
      const row = rows.get(key) ?? rowOf(event, at);
      row.count += 1;
      row.until = at;
      rows.set(key, row);
    },
    async flush() {
      const changed = [...rows.values()].filter(({ id, count }) => written.get(id) !== count);
      const counts = changed.map(({ id, count }) => [id, count] as const);
      if (changed.length > 0) await db.query(writeSql, [JSON.stringify(changed)]);
      for (const [id, count] of counts) written.set(id, count);
      const time = now().getTime();
      for (const [key, { id, at, count }] of rows) {
        const lifeMs = key.startsWith('many ') ? hourMs : minuteMs;
        if (Math.floor(at.getTime() / lifeMs) >= Math.floor(time / lifeMs) || written.get(id) !== count)
          continue;
        rows.delete(key);
        written.delete(id);
      }
    },
  };
}

/** Deletes events that are older than a moment; the database keeps those of the last 29 days. */
export async function forgetSecurityEvents(db: Database, before: Date): Promise<void> {
  await db.query('SELECT forget_security_events($1)', [firstIdAt(before)]);
}
