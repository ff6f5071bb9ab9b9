import type { Logger } from 'pino';
import { gatewayActor, recordChange } from '../../identity/audit/audit-log.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { leaveLease, takeLease } from '../../kit/db/lease.ts';
import { newId } from '../../kit/ids.ts';
import { type FollowDeps, followChoices } from '../follow.ts';
import { accountsOfChat, type Chat, lockPerson, readPerson, setChat } from '../people.ts';
import { type NoticeWord, say } from '../words.ts';
import type { Bot, Update } from './bot.ts';
import { useCode } from './codes.ts';

export type ListenDeps = FollowDeps & { db: Database; bot: Bot; now: Clock; log: Logger };

export type Listener = {
  /** Waits for messages to the bot, if anybody may write one, and answers them. */
  listen(): Promise<void>;
  /** Lets another process listen. */
  leave(): Promise<void>;
};

// Longer than one wait for messages.
const leaseSeconds = 60;
const leaseName = 'telegram';

// Nobody writes who neither has a chat nor is about to link one, and then nothing is asked of Telegram.
const anybodySql = `SELECT FROM notice_people WHERE telegram_chat IS NOT NULL
  UNION ALL SELECT FROM notice_codes WHERE expires_at > $1 LIMIT 1`;

/** Reads what people write to the bot, in one process of all: `/start CODE` links a chat, `/stop` unlinks it. */
export function createListener(deps: ListenDeps): Listener {
  const { db, bot, now, log } = deps;
  const terms = { name: leaseName, holder: newId(), seconds: leaseSeconds };
  // Telegram forgets an update when a later one is asked for, so a new process begins with what was not confirmed.
  let offset = 0;
  return {
    async listen() {
      const { rowCount } = await db.query(anybodySql, [now()]);
      if (rowCount === 0 || !(await takeLease(db, terms))) return;
      const found = await bot.updates(offset);
      if (!found.ok) {
        log.warn({ error: found.error }, 'the Telegram bot could not be read');
        return;
      }
      for (const update of found.result) {
        await answer(deps, update);
        offset = update.update_id + 1;
      }
    },
    async leave() {
      // Without the database the lease runs out by itself.
      await leaveLease(db, terms).catch(() => {});
    },
  };
}

/** A group is not linked: nobody here knows who is in it. */
async function answer(deps: ListenDeps, { message }: Update): Promise<void> {
  const [command = '', code = ''] = message?.text?.trim().split(/\s+/) ?? [];
  if (message?.chat.type !== 'private' || (command !== '/start' && command !== '/stop')) return;
  const chat: Chat = {
    id: message.chat.id,
    name: (message.from?.username ?? message.from?.first_name ?? 'Telegram').slice(0, 64),
  };
  const reply = await transaction(deps.db, (tx) =>
    command === '/stop' ? stop(tx, deps, chat) : start(tx, deps, chat, code),
  );
  await deps.bot.say(chat.id, reply);
}

async function start(tx: Tx, deps: ListenDeps, chat: Chat, code: string): Promise<string> {
  const now = deps.now();
  const accountId = await useCode(tx, code, now);
  if (accountId === null) {
    const [linked] = await accountsOfChat(tx, chat.id);
    return linked === undefined
      ? 'This code is not good any more. Make a new one in the settings of your dashboard, under Notices.'
      : await sayTo(tx, linked, 'chatKnown');
  }
  await lockPerson(tx, accountId);
  await setChat(tx, accountId, chat, now);
  await followChoices(tx, deps, accountId, { now });
  const subject = { kind: 'account', id: accountId };
  await recordChange(
    tx,
    gatewayActor,
    { action: 'linked a Telegram chat', subject, after: { name: chat.name } },
    now,
  );
  return await sayTo(tx, accountId, 'chatLinked');
}

/** A text in the language of a person. */
async function sayTo(tx: Tx, accountId: string, word: NoticeWord): Promise<string> {
  const { language } = await readPerson(tx, accountId);
  return say(language ?? 'en', word);
}

async function stop(tx: Tx, deps: ListenDeps, chat: Chat): Promise<string> {
  const linked = await accountsOfChat(tx, chat.id);
  for (const accountId of linked) await unlinkChat(tx, deps, accountId, deps.now());
  return linked[0] === undefined ? say('en', 'chatEnded') : await sayTo(tx, linked[0], 'chatEnded');
}

/** Ends the link of an account with its chat, and what is told there. */
export async function unlinkChat(tx: Tx, deps: FollowDeps, accountId: string, now: Date): Promise<void> {
  await lockPerson(tx, accountId);
  await setChat(tx, accountId, null, now);
  await followChoices(tx, deps, accountId, { now });
  const subject = { kind: 'account', id: accountId };
  await recordChange(tx, gatewayActor, { action: 'unlinked a Telegram chat', subject }, now);
}
