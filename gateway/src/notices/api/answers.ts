import { type Static, Type } from 'typebox';
import { Id, orNull, Time } from '../../kit/http/answers.ts';
import { kinds } from '../kinds.ts';
import { noticeLanguages } from '../languages.ts';

// Answers of the dashboard's calls about notices.

const text = Type.String();

const Device = Type.Object({ id: Id, label: text, created_at: Time });

/** How one person is reached. */
export const NoticePerson = Type.Object({
  time_zone: text,
  hour: Type.Integer(),
  /** Null: they have not said; English. */
  language: orNull(Type.Enum([...noticeLanguages])),
  email: text,
  email_verified: Type.Boolean(),
  /** Whether this installation sends mail. */
  sends_mail: Type.Boolean(),
  telegram: Type.Object({
    /** Whether the operator has a bot. */
    has_bot: Type.Boolean(),
    linked: orNull(Type.Object({ name: text, since: Time })),
  }),
  devices: Type.Array(Device),
});
export type NoticePerson = Static<typeof NoticePerson>;

/** By which a browser subscribes. */
export const PushKey = Type.Object({ public_key: text });

/** The name behind the bot's `@`; null where there is no bot, and while Telegram cannot be asked. */
export const BotName = Type.Object({ name: orNull(text) });
export type BotName = Static<typeof BotName>;

/** Links a chat: it is sent to the bot, once, until it ends. */
export const TelegramCode = Type.Object({
  code: text,
  expires_at: Time,
});
export type TelegramCode = Static<typeof TelegramCode>;

const Kinds = Type.Array(Type.Enum([...kinds]));

/** What came of the newest message of a channel. */
const Result = Type.Object({
  state: Type.Enum(['sent', 'waiting', 'failed']),
  at: Time,
  error: orNull(text),
});

const Channel = Type.Object({
  kinds: Kinds,
  /** What it can tell of. */
  offered: Kinds,
  /** Whether something is sent there: something was chosen, and it is linked or allowed. */
  is_on: Type.Boolean(),
  /** Every attempt failed for so long that nothing is sent there any more, until the choice is saved again. */
  is_stopped: Type.Boolean(),
  last: orNull(Result),
});

/** What one person is told of an integration, in one mode. */
export const NoticeChoices = Type.Object({
  mail: Channel,
  day: Channel,
  telegram: Channel,
  push: Channel,
});
export type NoticeChoices = Static<typeof NoticeChoices>;

export const ToldTest = Type.Object({ count: Type.Integer() });
export const ChangedDevice = Type.Object({ id: Id });
export const Nothing = Type.Object({});
