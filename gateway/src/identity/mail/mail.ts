import { sealOf } from '../../kit/db/carried-seal.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import type { Html } from '../../kit/http/html.ts';
import { newId } from '../../kit/ids.ts';
import { sealedColumn } from '../../kit/seal.ts';
import { givesAccess, type MailKind } from './kinds.ts';

/** The content of a mail: the same in plain text and, when given, in HTML. */
export type Letter = { kind: MailKind; subject: string; text: string; html?: Html };

/** Text and HTML of a mail, which may hold links that let people in. */
export const sealedLetters = sealedColumn('emails', 'letter');

type LetterBody = { text: string; html: string | null };

/** Opens what the outbox keeps of a mail. */
export function openLetter(reader: Reader, { id, letter }: { id: string; letter: Buffer }): LetterBody {
  return JSON.parse(sealOf(reader).open(letter, sealedLetters.at(id))) as LetterBody;
}

/**
 * Writes a mail into the outbox, one for each address, from which a worker sends it. In a transaction it is sent only after the commit. Without
 * an SMTP server it stays there: operators read notices, and the command line shows the rest.
 */
export async function queueMail(
  reader: Reader,
  { to, ...mail }: Letter & { to: string | readonly string[] },
): Promise<void> {
  for (const recipient of [to].flat()) await queueMailOnce(reader, newId(), { to: recipient, ...mail });
}

/** The same for every operator. */
export async function queueMailToOperators(reader: Reader, mail: Letter): Promise<void> {
  const { rows } = await reader.query<{ email: string }>(
    'SELECT email FROM accounts WHERE is_operator ORDER BY id',
  );
  await queueMail(reader, { to: rows.map(({ email }) => email), ...mail });
}

/** A mail to one address, under an id of the caller's: a second mail with that id is not written. */
export async function queueMailOnce(
  reader: Reader,
  id: string,
  { to, ...mail }: Letter & { to: string },
): Promise<void> {
  const body: LetterBody = { text: mail.text, html: mail.html?.markup ?? null };
  const letter = sealOf(reader).seal(JSON.stringify(body), sealedLetters.at(id));
  await reader.query(
    'INSERT INTO emails (id, kind, recipient, subject, letter) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING',
    [id, mail.kind, to, mail.subject, letter],
  );
}

export const mailStates = ['waiting', 'sent', 'failed'] as const;
export type MailState = (typeof mailStates)[number];

/** A mail as operators see it. It has no text after it was sent, because its links may give access to an account. */
export type Mail = {
  id: string;
  gives_access: boolean;
  recipient: string;
  subject: string;
  has_text: boolean;
  state: MailState;
  created_at: Date;
  sent_at: Date | null;
  attempts: number;
  /** null: there will be no further attempt. */
  next_attempt_at: Date | null;
  last_error: string | null;
};

const state = `CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN failed_at IS NOT NULL THEN 'failed' ELSE 'waiting' END`;

/** Up to `limit` mails before the mail `before` (or the newest), newest first; of one state when `state` is given. */
export async function listMails(
  reader: Reader,
  query: { before: string | null; limit: number; state?: MailState | undefined },
): Promise<Mail[]> {
  const { rows } = await reader.query<Omit<Mail, 'gives_access'> & { kind: string | null }>(
    `SELECT id, kind, recipient, subject, letter IS NOT NULL AS has_text, created_at, sent_at, attempts, last_error,
       ${state} AS state,
       CASE WHEN sent_at IS NULL AND failed_at IS NULL THEN next_attempt_at END AS next_attempt_at
     FROM emails
     WHERE ($1::uuid IS NULL OR id < $1) AND ($3::text IS NULL OR ${state} = $3)
     ORDER BY id DESC LIMIT $2`,
    [query.before, query.limit, query.state],
  );
  return rows.map(({ kind, ...mail }) => ({ ...mail, gives_access: givesAccess(kind) }));
}

/** A mail whose text is shown. */
export type ShownMail = { recipient: string; subject: string; text: string };

/**
 * The text of a mail; null for an unknown mail, after it was sent, and when it gives access and the reader may not see
 * such mails (contract.md#money-out).
 */
export async function readMail(
  reader: Reader,
  id: string,
  { showsAccess }: { showsAccess: boolean },
): Promise<ShownMail | null> {
  const { rows } = await reader.query<Omit<ShownMail, 'text'> & { kind: string | null; letter: Buffer }>(
    'SELECT kind, recipient, subject, letter FROM emails WHERE id = $1 AND letter IS NOT NULL',
    [id],
  );
  const [mail] = rows;
  if (!mail || (givesAccess(mail.kind) && !showsAccess)) return null;
  const { recipient, subject, letter } = mail;
  return { recipient, subject, text: openLetter(reader, { id, letter }).text };
}

/** Makes a mail that waits or failed due at once; false for an unknown mail, or after it was sent. */
export async function retryMail(tx: Tx, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE emails SET failed_at = NULL, attempts = 0, next_attempt_at = now()
     WHERE id = $1 AND sent_at IS NULL`,
    [id],
  );
  return rowCount === 1;
}

/** Deletes mails that were sent before a moment. */
export async function forgetMails(reader: Reader, before: Date): Promise<void> {
  await reader.query('DELETE FROM emails WHERE sent_at < $1', [before]);
}
