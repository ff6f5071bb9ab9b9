import { isMemberSql } from '../identity/merchants/people.ts';
import type { Owner } from '../identity/owner.ts';
import type { Tx } from '../kit/db/db.ts';
import type { Hints } from '../kit/db/hints.ts';
import type { Seal } from '../kit/seal.ts';
import { deleteEndpoint } from '../webhooks/endpoints/endpoints.ts';
import {
  changeNoticeEndpoint,
  createNoticeEndpoint,
  type NoticeChannel,
  type NoticePlan,
  noticeEndpointsOf,
} from '../webhooks/endpoints/notice-endpoints.ts';
import { countedTypes, eventsOf, isOfDay, type Kind } from './kinds.ts';
import { lockPerson } from './people.ts';
import { nextDailyHour } from './times.ts';

export type FollowDeps = { hints: Hints; seal: Seal };

type ChoiceRow = Owner & { channel: NoticeChannel; kinds: Kind[]; deviceId: string | null };

// A choice for Telegram without a chat, or for push without a device, waits for one.
const wantedSql = `
  SELECT c.integration_id AS "integrationId", c.mode, c.channel, c.kinds, d.id AS "deviceId"
  FROM notice_choices c JOIN notice_people p USING (account_id)
  LEFT JOIN notice_devices d ON d.account_id = c.account_id AND c.channel = 'push'
  WHERE c.account_id = $1 AND cardinality(c.kinds) > 0
    AND CASE c.channel WHEN 'telegram' THEN p.telegram_chat IS NOT NULL WHEN 'push' THEN d.id IS NOT NULL ELSE true END
    AND ${isMemberSql('c.account_id', 'c.integration_id')}`;

/**
 * Brings the endpoints that tell a person into line with what they chose, their devices, their chat and their businesses.
 * Called after each change of one of these. Endpoints of `restarted` that were disabled begin anew.
 */
export async function followChoices(
  tx: Tx,
  { hints, seal }: FollowDeps,
  accountId: string,
  { now, restarted }: { now: Date; restarted?: Owner },
): Promise<void> {
  const person = await lockPerson(tx, accountId);
  const { rows } = await tx.query<ChoiceRow>(wantedSql, [accountId]);
  const nextDay = await nextDailyHour(tx, person, now);
  const wanted = new Map(rows.map((row) => [nameOf(row), planOf(row, nextDay)]));
  for (const endpoint of await noticeEndpointsOf(tx, accountId)) {
    const plan = wanted.get(nameOf(endpoint));
    const isStale = endpoint.status === 'disabled' && restarted !== undefined && isOf(endpoint, restarted);
    if (!plan || isStale) await deleteEndpoint(tx, hints, endpoint.id, now);
    else {
      wanted.delete(nameOf(endpoint));
      await changeNoticeEndpoint(tx, endpoint.id, { ...plan, dayTypes: countedTypes }, now);
    }
  }
  for (const plan of wanted.values()) {
    await createNoticeEndpoint(tx, seal, { ...plan, accountId, dayTypes: countedTypes }, now);
  }
}

type Named = Owner & Pick<NoticePlan, 'channel' | 'deviceId'>;

const nameOf = ({ integrationId, mode, channel, deviceId }: Named): string =>
  [integrationId, mode, channel, deviceId].join(' ');

function isOf(endpoint: Owner, owner: Owner): boolean {
  return endpoint.integrationId === owner.integrationId && endpoint.mode === owner.mode;
}

function planOf({ kinds, ...row }: ChoiceRow, nextDay: Date): NoticePlan {
  return { ...row, events: eventsOf(kinds), dayDueAt: isOfDay(row.channel, kinds) ? nextDay : null };
}
