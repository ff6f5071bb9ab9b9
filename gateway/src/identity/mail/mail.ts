import type { Reader, Tx } from '../../kit/db/db.ts';
import type { Html } from '../../kit/http/html.ts';
import { newId } from '../../kit/ids.ts';

/** The content of a mail: the same in plain text and, when given, in HTML. */
export type Letter = { subject: string; text: string; html?: Html };

/**
 * Writes a mail into the outbox, from which a worker sends it. In a transaction it is sent only after the commit. Without
 * an SMTP server it stays there, and operators can read it.
 */
export async function queueMail(reader: Reader, { to, ...letter }: Letter & { to: string }): Promise<void> {
  await reader.query('INSERT INTO emails (id, recipient, subject, text, html) VALUES ($1, $2, $3, $4, $5)', [
    newId(),
    to,
    letter.subject,
    letter.text,
    letter.html?.markup ?? null,
  ]);
}

export const mailStates = ['waiting', 'sent', 'failed'] as const;
export type MailState = (typeof mailStates)[number];

/** A mail as operators see it. `text` is null after it was sent, because its links may give access to an account. */
export type Mail = {
  id: string;
  recipient: string;
  subject: string;
  text: string | null;
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
  const { rows } = await reader.query<Mail>(
    `SELECT id, recipient, subject, text, created_at, sent_at, attempts, last_error,
       ${state} AS state,
       CASE WHEN sent_at IS NULL AND failed_at IS NULL THEN next_attempt_at END AS next_attempt_at
     FROM emails
     WHERE ($1::uuid IS NULL OR id < $1) AND ($3::text IS NULL OR ${state} = $3)
     ORDER BY id DESC LIMIT $2`,
    [query.before, query.limit, query.state],
  );
  return rows;
}

/** The text of a mail; null for an unknown mail, or after it was sent. */
export async function readMail(
  reader: Reader,
  id: string,
): Promise<{ recipient: string; subject: string; text: string } | null> {
  const { rows } = await reader.query<{ recipient: string; subject: string; text: string }>(
    'SELECT recipient, subject, text FROM emails WHERE id = $1 AND text IS NOT NULL',
    [id],
  );
  return rows[0] ?? null;
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
