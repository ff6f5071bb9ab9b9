import type { Logger } from 'pino';
import type { ForgetPerson } from '../../identity/closing/close-account.ts';
import type { Console } from '../../identity/console/console.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import type { HttpSender } from '../../kit/net/safe-fetch.ts';
import type { Slice } from '../../kit/slice.ts';
import type { Assets } from '../../money/assets.ts';
import type { SendNotice } from '../../webhooks/worker/notice-attempt.ts';
import { type LackingPrices, writeDays } from '../day.ts';
import { noticeErrors } from '../errors.ts';
import type { FollowDeps } from '../follow.ts';
import { createVapid } from '../push/vapid.ts';
import { createSendNotice } from '../send/send.ts';
import { type BotSettings, createBot } from '../telegram/bot.ts';
import { createListener } from '../telegram/listen.ts';
import { noticeAccountRoutes } from './account-routes.ts';
import { noticeChoiceRoutes } from './choice-routes.ts';

export type NoticeDeps = FollowDeps & {
  db: Database;
  sender: HttpSender;
  baseUrl: string;
  mail: { smtpUrl: string | null; from: string };
  /** null: the operator has no bot. */
  telegram: BotSettings | null;
  allowPrivate: boolean;
  assets: Assets;
  lackingPrices: LackingPrices;
  now: Clock;
  log: Logger;
};

const secondMs = 1_000;
const daysEveryMs = 20_000;

/** What people of a merchant's team are told, and by what. Their endpoints are those of webhooks, which send. */
export function createNotices(deps: NoticeDeps): Slice<Console> & { sendNotice: SendNotice } {
  const { db, seal, sender, baseUrl, mail, allowPrivate } = deps;
  const bot = deps.telegram && createBot(deps.telegram);
  const listener = bot && createListener({ ...deps, bot });
  const vapid = createVapid(db, seal);
  const subject = baseUrl.startsWith('https:') ? baseUrl : `mailto:${addressIn(mail.from)}`;
  const push = { sender, seal, vapid, subject, allowPrivate };
  const listening = listener
    ? [{ name: 'telegram', everyMs: secondMs, work: listener.listen, isOptional: true }]
    : [];
  return {
    sendNotice: createSendNotice({ ...deps, dashboardUrl: `${baseUrl}/app/`, bot, push }),
    errors: noticeErrors,
    routes: {
      dashboard(dashboard) {
        noticeAccountRoutes(dashboard, { ...deps, bot, vapid, sendsMail: mail.smtpUrl !== null });
        noticeChoiceRoutes(dashboard, deps);
      },
    },
    loops: [{ name: 'notices of days', everyMs: daysEveryMs, work: () => writeDays(deps) }, ...listening],
    async disconnect() {
      await bot?.close();
    },
    async close() {
      await listener?.leave();
    },
  };
}

function addressIn(from: string): string {
  return /<([^<>]+)>$/.exec(from)?.[1] ?? from;
}

/** Forgets what a person chose, their chat, and their devices. Their endpoints stay, without anybody to tell. */
export const forgetNoticePerson: ForgetPerson = async (tx, { id }) => {
  for (const table of ['notice_choices', 'notice_codes', 'notice_devices', 'notice_people']) {
    await tx.query(`DELETE FROM ${table} WHERE account_id = $1`, [id]);
  }
  await tx.query(
    `UPDATE webhook_endpoints SET deleted_at = now(), updated_at = now() WHERE account_id = $1 AND deleted_at IS NULL`,
    [id],
  );
};
