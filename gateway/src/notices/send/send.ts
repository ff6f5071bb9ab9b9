import type { IntegrationId, Mode } from '../../identity/integration.ts';
import { letter } from '../../identity/mail/letter.ts';
import { queueMailOnce } from '../../identity/mail/mail.ts';
import { isMemberSql } from '../../identity/merchants/people.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { claimFirst, type NoticeChannel } from '../../webhooks/endpoints/notice-endpoints.ts';
import { firstPayment } from '../../webhooks/events/event-types.ts';
import type { NoticeOutcome, SendNotice } from '../../webhooks/worker/notice-attempt.ts';
import { type FollowDeps, followChoices } from '../follow.ts';
import type { NoticeLanguage } from '../languages.ts';
import { removeDevice } from '../push/devices.ts';
import { type PushDeps, pushTo } from '../push/push.ts';
import type { Bot } from '../telegram/bot.ts';
import { unlinkChat } from '../telegram/listen.ts';
import { say } from '../words.ts';
import { type Notice, noticeOf } from './text.ts';

export type SendDeps = FollowDeps & {
  db: Database;
  now: Clock;
  assets: Assets;
  /** Ends in a slash. */
  dashboardUrl: string;
  /** null: the operator has none. */
  bot: Bot | null;
  push: PushDeps;
};

/** Whom an endpoint tells, as it is now. */
type Listener = {
  accountId: string;
  integrationId: IntegrationId;
  mode: Mode;
  integration: string;
  events: string[];
  language: NoticeLanguage;
  isMember: boolean;
  /** null: it was not confirmed. */
  email: string | null;
  chat: bigint | null;
  deviceId: string | null;
  subscription: Buffer | null;
  /** When the day of the event ends for the person. */
  dayEnd: Date;
};

const listenerSql = {
  name: 'listener-of-notice',
  text: `SELECT w.account_id AS "accountId", w.integration_id AS "integrationId", w.mode, i.name AS integration, w.events,
      coalesce(p.language, 'en') AS language,
      ${isMemberSql('w.account_id', 'w.integration_id')} AS "isMember",
      CASE WHEN a.email_verified THEN a.email END AS email, p.telegram_chat AS chat, d.id AS "deviceId", d.subscription,
      (date_trunc('day', $2::timestamptz AT TIME ZONE coalesce(p.time_zone, 'UTC')) + interval '1 day')
        AT TIME ZONE coalesce(p.time_zone, 'UTC') AS "dayEnd"
    FROM webhook_endpoints w
    JOIN integrations i ON i.id = w.integration_id
    JOIN accounts a ON a.id = w.account_id
    LEFT JOIN notice_people p ON p.account_id = w.account_id
    LEFT JOIN notice_devices d ON d.id = w.device_id
    WHERE w.id = $1`,
};

type Facts = { event_type: string; timestamp?: number };

/** Tells a person by their channel (contract.md#notices). Whether they may still be told is looked at here once more. */
export function createSendNotice(deps: SendDeps): SendNotice {
  const { db, assets } = deps;
  return async (delivery, channel) => {
    const { event_type: type, timestamp } = JSON.parse(delivery.body) as Facts;
    const at = timestamp === undefined ? deps.now() : new Date(timestamp * 1000);
    const { rows } = await db.query<Listener>({ ...listenerSql, values: [delivery.endpoint_id, at] });
    const listener = rows[0];
    if (!listener?.isMember) return ended('The person does not belong to the business any more');
    let isFirst = false;
    if (type === 'payment_completed' && listener.events.includes(firstPayment)) {
      const claim = { eventId: delivery.event_id, at, until: listener.dayEnd };
      isFirst = await claimFirst(db, delivery.endpoint_id, claim);
      if (!isFirst && !listener.events.includes(type)) return { outcome: 'unneeded' };
    }
    const notice = noticeOf(delivery.body, { ...listener, assetOf: assets.find }, isFirst);
    return await senders[channel](deps, {
      listener,
      notice,
      deliveryId: delivery.id,
      eventId: delivery.event_id,
    });
  };
}

const ended = (error: string): NoticeOutcome => ({ outcome: 'ended', error });

type Sending = { listener: Listener; notice: Notice; deliveryId: string; eventId: string };
type Sender = (deps: SendDeps, sending: Sending) => Promise<NoticeOutcome>;

const senders: Record<NoticeChannel, Sender> = {
  mail: byMail,
  day: byMail,
  telegram: byTelegram,
  push: byPush,
};

/** Queues the mail under the delivery's id: an attempt whose outcome was lost queues no second one. */
async function byMail({ db, dashboardUrl }: SendDeps, sending: Sending): Promise<NoticeOutcome> {
  const { listener, notice, deliveryId } = sending;
  const { language } = listener;
  if (listener.email === null) return ended('The e-mail address is not confirmed');
  await queueMailOnce(db, deliveryId, {
    to: listener.email,
    ...letter({
      kind: 'merchant_notice',
      subject: `${listener.integration}: ${notice.title}`,
      paragraphs: notice.lines,
      action: { label: say(language, 'open'), url: `${dashboardUrl}${notice.path}` },
      closing: say(language, 'closing'),
      locale: language,
    }),
  });
  return { outcome: 'sent', durationMs: 0 };
}

async function byTelegram(deps: SendDeps, { listener, notice }: Sending): Promise<NoticeOutcome> {
  const { bot, dashboardUrl } = deps;
  if (listener.chat === null) return ended('No chat is linked');
  if (!bot) return { outcome: 'refused', error: 'This installation has no Telegram bot', durationMs: 0 };
  const text = [notice.title, ...notice.lines].join('\n').slice(0, longestText);
  const answer = await bot.say(listener.chat, `${text}\n${dashboardUrl}${notice.path}`);
  if (answer.ok) return { outcome: 'sent', durationMs: answer.durationMs };
  if (answer.status === 403 || (answer.status === 400 && answer.error.includes('chat not found'))) {
    await transaction(deps.db, (tx) => unlinkChat(tx, deps, listener.accountId, deps.now()));
    return ended(`${answer.error}: the chat was unlinked`);
  }
  const { status: statusCode, retryAfter, error, durationMs } = answer;
  return { outcome: 'refused', error, answer: { statusCode, retryAfter }, durationMs };
}

// Telegram takes 4,096 characters, with the address of the page.
const longestText = 3_000;
// A push holds 4,096 bytes with its frame.
const longestBody = 700;

async function byPush(deps: SendDeps, { listener, notice, eventId }: Sending): Promise<NoticeOutcome> {
  const { accountId, deviceId: id, subscription } = listener;
  if (id === null || subscription === null) return ended('The device was removed');
  const message = {
    title: notice.title.slice(0, longestBody),
    body: notice.lines.join('\n').slice(0, longestBody),
    path: notice.path,
    tag: eventId,
  };
  const sent = await pushTo(deps.push, { id, subscription }, message);
  if (sent.outcome !== 'gone') return sent;
  await transaction(deps.db, async (tx) => {
    await removeDevice(tx, accountId, id);
    await followChoices(tx, deps, accountId, { now: deps.now() });
  });
  return ended('The device takes no notices any more');
}
