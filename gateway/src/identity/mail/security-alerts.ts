import { after } from '../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { firstIdAt } from '../../kit/ids.ts';
import { type AuditEntry, securityChanges, securityEntries } from '../audit/audit-log.ts';
import { letter, minuteOf, someOf } from './letter.ts';
import { queueMailToOperators } from './mail.ts';

/** What operators may be told of by mail, and the actions that belong to it. */
const actionsOf = {
  failures: [
    'failed to sign in',
    'failed the second step of a sign-in',
    'failed to confirm who they are',
    'used an unknown key',
  ],
  refusals: ['was refused for lack of rights'],
  limits: ['reached a limit'],
  devices: ['signed in from a new device'],
  ...securityChanges,
} as const satisfies Record<string, readonly string[]>;

export type AlertKind = keyof typeof actionsOf;
export const alertKinds = Object.keys(actionsOf) as AlertKind[];

export function isAlertKind(word: string): word is AlertKind {
  return Object.hasOwn(actionsOf, word);
}

/** After this time the events of a minute are all in the log, and counted. */
const settledSeconds = 120;
const betweenMailsSeconds = 15 * 60;
const mostRead = 1_000;

/** Mails all operators what was logged since the last such mail; every 15 minutes at most, and by one process. */
export async function mailSecurityAlerts(
  db: Database,
  { kinds, baseUrl }: { kinds: readonly AlertKind[]; baseUrl: string },
  now: Date,
): Promise<void> {
  if (kinds.length === 0) return;
  await transaction(db, async (tx) => {
    const { rows } = await tx.query<{ last_id: string }>(
      `SELECT last_id FROM security_alerts WHERE mailed_at IS NULL OR mailed_at <= $1 FOR UPDATE SKIP LOCKED`,
      [after(now, -betweenMailsSeconds)],
    );
    const last = rows[0]?.last_id;
    if (last === undefined) return;
    const end = firstIdAt(after(now, -settledSeconds));
    const wanted = new Set<string>(kinds.flatMap((kind) => actionsOf[kind]));
    const read = await securityEntries(
      tx,
      { all: true },
      {
        before: end,
        after: last,
        limit: mostRead,
      },
    );
    const entries = read.filter(({ action }) => wanted.has(action));
    const mailedAt = entries.length > 0 ? now : null;
    await tx.query(
      'UPDATE security_alerts SET last_id = greatest(last_id, $1), mailed_at = coalesce($2, mailed_at)',
      [end, mailedAt],
    );
    if (entries.length > 0)
      await mailOperators(tx, entries, `${baseUrl}/app/operator/staff-log?about=security`);
  });
}

async function mailOperators(tx: Tx, entries: readonly AuditEntry[], url: string): Promise<void> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    counts.set(entry.action, (counts.get(entry.action) ?? 0) + timesOf(entry));
  }
  const sums = [...counts].map(([action, times]) => `${times} × ${action}`);
  const mail = letter({
    kind: 'security_alerts',
    subject: `Security: ${sums[0]}${sums.length > 1 ? ' and more' : ''}`,
    paragraphs: [`Since the last such mail: ${sums.join('; ')}.`, ...someOf(entries.map(lineOf))],
    action: { label: 'See the security log', url },
    closing: 'You get this mail because you are an operator. The setting SECURITY_ALERTS says of what.',
  });
  await queueMailToOperators(tx, mail);
}

function timesOf({ after }: AuditEntry): number {
  return typeof after?.times === 'number' ? after.times : 1;
}

function lineOf(entry: AuditEntry): string {
  const { at, actor, action } = entry;
  const times = timesOf(entry);
  return `${minuteOf(at)}, ${actor.name}, from ${actor.address ?? 'many addresses'}: ${action}${times > 1 ? `, ${times} times` : ''}`;
}
