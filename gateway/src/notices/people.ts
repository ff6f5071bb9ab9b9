import type { Reader, Tx } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';
import type { NoticeLanguage } from './languages.ts';

/** What notices know of a person. */
export type Person = {
  timeZone: string;
  /** What comes once a day comes at this hour there. */
  hour: number;
  /** null: they have not said; English. */
  language: NoticeLanguage | null;
  telegramChat: bigint | null;
  telegramName: string | null;
  telegramSince: Date | null;
};

const columns = `time_zone AS "timeZone", hour, language, telegram_chat AS "telegramChat", telegram_name AS "telegramName",
  telegram_since AS "telegramSince"`;

const unknown: Person = {
  timeZone: 'UTC',
  hour: 8,
  language: null,
  telegramChat: null,
  telegramName: null,
  telegramSince: null,
};

/** A person's settings; the defaults where they have none. */
export async function readPerson(reader: Reader, accountId: string): Promise<Person> {
  const { rows } = await reader.query<Person>(`SELECT ${columns} FROM notice_people WHERE account_id = $1`, [
    accountId,
  ]);
  return rows[0] ?? unknown;
}

/** Makes the row of a person where there is none, and locks it: one change at a time of what one person is told. */
export async function lockPerson(tx: Tx, accountId: string): Promise<Person> {
  const found = await tx.query<Person>(
    `INSERT INTO notice_people AS p (account_id) VALUES ($1)
     ON CONFLICT (account_id) DO UPDATE SET account_id = excluded.account_id RETURNING ${columns}`,
    [accountId],
  );
  return oneRow(found, 'a person of notices');
}

/** Sets when what comes once a day comes, and in which language all is told. */
export async function setTerms(
  tx: Tx,
  accountId: string,
  { timeZone, hour, language }: Pick<Person, 'timeZone' | 'hour' | 'language'>,
): Promise<void> {
  await tx.query('UPDATE notice_people SET time_zone = $2, hour = $3, language = $4 WHERE account_id = $1', [
    accountId,
    timeZone,
    hour,
    language,
  ]);
}

/** Tells a person who has not said in which language in that of the page where they chose what they are told. */
export async function setFirstLanguage(tx: Tx, accountId: string, language: NoticeLanguage): Promise<void> {
  await tx.query('UPDATE notice_people SET language = coalesce(language, $2) WHERE account_id = $1', [
    accountId,
    language,
  ]);
}

/** A private chat with the bot, and what Telegram calls the person there. */
export type Chat = { id: number; name: string };

/** Links a chat to an account in place of any before; null: unlinks it. */
export async function setChat(tx: Tx, accountId: string, chat: Chat | null, now: Date): Promise<void> {
  await tx.query(
    `UPDATE notice_people SET telegram_chat = $2, telegram_name = $3, telegram_since = $4 WHERE account_id = $1`,
    [accountId, chat?.id ?? null, chat?.name ?? null, chat && now],
  );
}

/** The accounts that a chat is linked to. */
export async function accountsOfChat(reader: Reader, chat: number | bigint): Promise<string[]> {
  const { rows } = await reader.query<{ id: string }>(
    'SELECT account_id AS id FROM notice_people WHERE telegram_chat = $1 ORDER BY account_id',
    [chat],
  );
  return rows.map(({ id }) => id);
}
