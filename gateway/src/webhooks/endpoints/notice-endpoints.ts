import type { IntegrationId, Mode } from '../../identity/integration.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';
import { lastSeqSql } from '../events/day-counts.ts';
import type { EndpointId } from './endpoints.ts';
import { newEndpointSecret, sealedSecrets } from './sign.ts';

/** By what a person is told: a mail at once, a mail a day, Telegram, or web push to one device. */
export type NoticeChannel = 'mail' | 'day' | 'telegram' | 'push';

/** Where deliveries of an endpoint go. */
export type Channel = 'webhook' | NoticeChannel;

/** An endpoint that tells a person, as it is to be. */
export type NoticePlan = {
  integrationId: IntegrationId;
  mode: Mode;
  channel: NoticeChannel;
  /** The device of a push; null with the other channels. */
  deviceId: string | null;
  /** Types of events, and what else it is told of. */
  events: readonly string[];
  /** When it is told of the day; null: never. */
  dayDueAt: Date | null;
};

export type NoticeEndpoint = NoticePlan & {
  id: EndpointId;
  status: 'active' | 'disabled';
  accountId: string;
};

const columns = `w.id, w.integration_id AS "integrationId", w.mode, w.channel, w.account_id AS "accountId",
  w.device_id AS "deviceId", w.events, w.status, w.day_due_at AS "dayDueAt"`;

/** The endpoints that tell a person, in the order of their ids. */
export async function noticeEndpointsOf(reader: Reader, accountId: string): Promise<NoticeEndpoint[]> {
  const { rows } = await reader.query<NoticeEndpoint>(
    `SELECT ${columns} FROM webhook_endpoints w WHERE w.account_id = $1 AND w.deleted_at IS NULL ORDER BY w.id`,
    [accountId],
  );
  return rows;
}

// What a version before notices would send to: a name that never resolves.
const nowhere = (channel: NoticeChannel): string => `https://notice.invalid/${channel}`;

// The newest event that is counted before it: of these types, whatever the integration had.
const lastSeq = lastSeqSql({ integration: '$2', mode: '$3' }, '$6');

/** Makes an endpoint that tells a person. `dayTypes`: the events that its day counts. */
export async function createNoticeEndpoint(
  tx: Tx,
  seal: Seal,
  plan: NoticePlan & { accountId: string; dayTypes: readonly string[] },
  now: Date,
): Promise<void> {
  const id = newId<'webhook-endpoint'>(now);
  const secret = seal.seal(newEndpointSecret(), sealedSecrets.at(id));
  await tx.query(
    `INSERT INTO webhook_endpoints (id, integration_id, mode, url, events, secret, created_at, updated_at, channel,
       account_id, device_id, day_due_at, day_seq)
     VALUES ($1, $2, $3, $4, $5, $7, $8, $8, $9, $10, $11, $12::timestamptz, CASE WHEN $12::timestamptz IS NOT NULL THEN ${lastSeq} END)`,
    [
      ...[id, plan.integrationId, plan.mode, nowhere(plan.channel), plan.events, plan.dayTypes, secret, now],
      ...[plan.channel, plan.accountId, plan.deviceId, plan.dayDueAt],
    ],
  );
}

/** Changes of what an endpoint tells, and when it tells of the day. */
export async function changeNoticeEndpoint(
  tx: Tx,
  id: EndpointId,
  { integrationId, mode, events, dayDueAt, dayTypes }: NoticePlan & { dayTypes: readonly string[] },
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE webhook_endpoints SET events = $4, day_due_at = $5, updated_at = $7,
       day_seq = CASE WHEN $5::timestamptz IS NOT NULL THEN coalesce(day_seq, ${lastSeq}) END
     WHERE id = $1 AND integration_id = $2 AND mode = $3`,
    [id, integrationId, mode, events, dayDueAt, dayTypes, now],
  );
}

/**
 * Takes a payment as the first of its day at an endpoint: true for one event, again and again, until `until`. What came
 * before that moment is never a first one after it.
 */
export async function claimFirst(
  reader: Reader,
  endpoint: string,
  { eventId, at, until }: { eventId: string; at: Date; until: Date },
): Promise<boolean> {
  const { rowCount } = await reader.query(
    `UPDATE webhook_endpoints SET first_event = $2, first_after = $4
     WHERE id = $1 AND (first_event = $2 OR first_after IS NULL OR first_after <= $3)`,
    [endpoint, eventId, at, until],
  );
  return rowCount === 1;
}

/** What became of the newest delivery of an endpoint. */
export type NoticeResult = {
  status: 'pending' | 'delivered' | 'failed';
  at: Date;
  error: string | null;
};

/** The newest result of each of these endpoints that has one. */
export async function lastNoticeResults(
  reader: Reader,
  endpoints: readonly string[],
): Promise<Map<string, NoticeResult>> {
  const { rows } = await reader.query<NoticeResult & { id: string }>(
    `SELECT w.id, d.status, coalesce(a.at, d.created_at) AS at, a.error
     FROM unnest($1::uuid[]) AS w (id) CROSS JOIN LATERAL (
       SELECT id, status, attempts, created_at FROM deliveries WHERE endpoint_id = w.id AND status <> 'held'
       ORDER BY id DESC LIMIT 1
     ) d
     LEFT JOIN LATERAL (SELECT * FROM delivery_attempts WHERE delivery_id = d.id AND n = d.attempts OFFSET 0) a ON true`,
    [endpoints],
  );
  return new Map(rows.map(({ id, ...result }) => [id, result]));
}

/** An endpoint whose day is due, and the last event that the day before counted. */
export type DueDay = Pick<
  NoticeEndpoint,
  'id' | 'integrationId' | 'mode' | 'channel' | 'accountId' | 'events'
> & {
  seq: bigint;
};

/** Locks an endpoint whose day is due, and that no other process has; null: there is none. */
export async function takeDueDay(tx: Tx, now: Date): Promise<DueDay | null> {
  const { rows } = await tx.query<DueDay>({
    name: 'take-due-day',
    text: `SELECT ${columns}, w.day_seq AS seq FROM webhook_endpoints w
           WHERE w.day_due_at <= $1 AND w.deleted_at IS NULL
           ORDER BY w.day_due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    values: [now],
  });
  return rows[0] ?? null;
}

/** Notes up to which event the day was told, and when the next one is due. */
export async function moveDay(
  tx: Tx,
  id: EndpointId,
  { dueAt, seq }: { dueAt: Date; seq: bigint },
): Promise<void> {
  await tx.query('UPDATE webhook_endpoints SET day_due_at = $2, day_seq = $3 WHERE id = $1', [
    id,
    dueAt,
    seq,
  ]);
}
