import { Type } from 'typebox';
import type { Call, Console } from '../../identity/console/console.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { fieldReader, invalid, nameField } from '../../kit/http/fields.ts';
import { isUuid } from '../../kit/ids.ts';
import { noticeErrors } from '../errors.ts';
import { type FollowDeps, followChoices } from '../follow.ts';
import { noticeLanguages } from '../languages.ts';
import { lockPerson, readPerson, setChat, setTerms } from '../people.ts';
import { addDevice, listDevices, removeDevice, type Subscription } from '../push/devices.ts';
import type { Vapid } from '../push/vapid.ts';
import type { Bot } from '../telegram/bot.ts';
import { makeCode } from '../telegram/codes.ts';
import { isTimeZone } from '../times.ts';
import { BotName, ChangedDevice, Nothing, NoticePerson, PushKey, TelegramCode } from './answers.ts';

export type AccountRouteDeps = FollowDeps & {
  db: Database;
  now: Clock;
  sendsMail: boolean;
  bot: Bot | null;
  vapid: () => Promise<Vapid>;
};

const path = '/notices';

const readTerms = fieldReader(
  Type.Object({
    time_zone: Type.String({ format: 'line', minLength: 1, maxLength: 64 }),
    hour: Type.Integer({ minimum: 0, maximum: 23 }),
    language: Type.Optional(Type.Enum([...noticeLanguages])),
  }),
);

// As browsers write them: base64url of a point of P-256, and of 16 bytes.
const readDevice = fieldReader(
  Type.Object({
    label: nameField(80),
    endpoint: Type.String({ format: 'uri', maxLength: 1_024 }),
    p256dh: Type.String({ pattern: '^[A-Za-z0-9_-]{87}=?$' }),
    auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}(?:==)?$' }),
  }),
);

/** A person's own ways to be told: when a day is told, their chat with the bot, and their devices. */
export function noticeAccountRoutes(dashboard: Console, deps: AccountRouteDeps): void {
  const { db, bot, now } = deps;

  dashboard.get('account', path, { answer: NoticePerson }, async ({ session: { account } }) => {
    const person = await readPerson(db, account.id);
    const devices = await listDevices(db, account.id);
    const { telegramName: name, telegramSince: since } = person;
    const data = {
      ...{ time_zone: person.timeZone, hour: person.hour, language: person.language },
      ...{ email: account.email, email_verified: account.emailVerified, sends_mail: deps.sendsMail },
      telegram: {
        has_bot: bot !== null,
        linked: name !== null && since !== null ? { name, since: since.toISOString() } : null,
      },
      devices: devices.map(({ id, label, createdAt }) => ({
        ...{ id, label, created_at: createdAt.toISOString() },
      })),
    };
    return { message: 'Notices', data };
  });

  dashboard.write('PUT', 'account', path, { answer: Nothing }, async (tx, call) => {
    const { time_zone: timeZone, hour, language: chosen } = readTerms(call.body);
    if (!(await isTimeZone(tx, timeZone))) throw invalid('time_zone', 'must be the name of a time zone');
    const { id } = call.session.account;
    const former = await lockPerson(tx, id);
    const language = chosen ?? former.language;
    await setTerms(tx, id, { timeZone, hour, language });
    await followChoices(tx, deps, id, { now: now() });
    return {
      message: 'Notices changed',
      data: {},
      change: {
        action: 'changed when notices of a day come',
        subject: selfOf(call),
        before: { time_zone: former.timeZone, hour: former.hour, language: former.language },
        after: { time_zone: timeZone, hour, language },
      },
    };
  });

  telegramRoutes(dashboard, deps);
  deviceRoutes(dashboard, deps);
}

function telegramRoutes(dashboard: Console, deps: AccountRouteDeps): void {
  const { bot, now } = deps;

  // Whoever has a session must not be told for ever by a chat or a device of theirs.
  const terms = { answer: TelegramCode, secrets: true, fresh: true };
  dashboard.write('POST', 'account', `${path}/telegram-code`, terms, async (tx, call) => {
    if (!bot) throw refuse(noticeErrors.telegram_off);
    const { code, expiresAt } = await makeCode(tx, call.session.account.id, now());
    const data = { code, expires_at: expiresAt.toISOString() };
    return {
      message: 'Telegram code',
      data,
      change: { action: 'made a code for a Telegram chat', subject: selfOf(call) },
    };
  });

  dashboard.get('account', `${path}/telegram-bot`, { answer: BotName }, async () => ({
    message: 'Telegram bot',
    data: { name: (await bot?.name()) ?? null },
  }));

  dashboard.write('DELETE', 'account', `${path}/telegram`, { answer: Nothing }, async (tx, call) => {
    const { id } = call.session.account;
    const { telegramChat } = await lockPerson(tx, id);
    if (telegramChat === null) throw refuse(kitErrors.not_found);
    await setChat(tx, id, null, now());
    await followChoices(tx, deps, id, { now: now() });
    return {
      message: 'Telegram unlinked',
      data: {},
      change: { action: 'unlinked a Telegram chat', subject: selfOf(call) },
    };
  });
}

function deviceRoutes(dashboard: Console, deps: AccountRouteDeps): void {
  const { now, seal } = deps;
  const ofDevices = `${path}/devices`;

  dashboard.get('account', `${path}/push-key`, { answer: PushKey }, async () => ({
    message: 'Push key',
    data: { public_key: (await deps.vapid()).publicKey },
  }));

  dashboard.write('POST', 'account', ofDevices, { answer: ChangedDevice, fresh: true }, async (tx, call) => {
    const { label, endpoint, p256dh, auth } = readDevice(call.body);
    const { id: accountId } = call.session.account;
    const subscription: Subscription = { endpoint, keys: { p256dh, auth } };
    await lockPerson(tx, accountId);
    const added = await addDevice(tx, seal, accountId, { subscription, label, now: now() });
    await followDevice(tx, deps, accountId, added.formerOwner);
    const change = { action: 'allowed notices on a device', subject: selfOf(call), after: { label } };
    return { message: 'Device added', data: { id: added.id }, change };
  });

  dashboard.write('DELETE', 'account', `${ofDevices}/:device`, { answer: Nothing }, async (tx, call) => {
    const { device = '' } = call.params;
    const { id: accountId } = call.session.account;
    await lockPerson(tx, accountId);
    if (!isUuid(device) || !(await removeDevice(tx, accountId, device))) throw refuse(kitErrors.not_found);
    await followChoices(tx, deps, accountId, { now: now() });
    return {
      message: 'Device removed',
      data: {},
      change: { action: 'removed a device of notices', subject: selfOf(call) },
    };
  });
}

/** A browser that another account allowed before is not told of that one's payments any more. */
async function followDevice(
  tx: Tx,
  deps: AccountRouteDeps,
  accountId: string,
  formerOwner: string | null,
): Promise<void> {
  await followChoices(tx, deps, accountId, { now: deps.now() });
  if (formerOwner !== null && formerOwner !== accountId) {
    await followChoices(tx, deps, formerOwner, { now: deps.now() });
  }
}

function selfOf({ session }: Pick<Call<'account'>, 'session'>) {
  return { kind: 'account', id: session.account.id };
}
