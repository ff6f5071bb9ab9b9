import type { Reader, Tx } from '../kit/db.ts';
import type { Html } from '../kit/html.ts';
import { newId } from '../kit/ids.ts';

/** What is said to somebody: the same in plain text and, when given, in HTML. */
export type Letter = { subject: string; text: string; html?: Html };

/**
 * Writes a mail into the outbox, from where a worker sends it. In a transaction it goes out only if that commits.
 * Without an SMTP server it waits there for the operator to read.
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

export type MailState = 'waiting' | 'sent' | 'failed';

/** A mail as the operator sees it; `text` is null once it was sent, because it may hold links that let people in. */
export type Mail = {
  id: string;
  recipient: string;
  subject: string;
  text: string | null;
  state: MailState;
  created_at: Date;
  sent_at: Date | null;
  attempts: number;
  /** null: nothing more will be tried. */
  next_attempt_at: Date | null;
  last_error: string | null;
};

/** Up to `limit` mails before the mail `before` (or the newest), newest first. */
export async function listMails(
  reader: Reader,
  { before, limit }: { before: string | null; limit: number },
): Promise<Mail[]> {
  const { rows } = await reader.query<Mail>(
    `SELECT id, recipient, subject, text, created_at, sent_at, attempts, last_error,
       CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN failed_at IS NOT NULL THEN 'failed' ELSE 'waiting' END AS state,
       CASE WHEN sent_at IS NULL AND failed_at IS NULL THEN next_attempt_at END AS next_attempt_at
     FROM emails WHERE $1::uuid IS NULL OR id < $1 ORDER BY id DESC LIMIT $2`,
    [before, limit],
  );
  return rows;
}

/** Lets a mail that waits or failed be tried at once; false when there is none, or it was sent. */
export async function retryMail(tx: Tx, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE emails SET failed_at = NULL, attempts = 0, next_attempt_at = now()
     WHERE id = $1 AND sent_at IS NULL`,
    [id],
  );
  return rowCount === 1;
}

/** Forgets mails that were sent before a moment. */
export async function forgetMails(reader: Reader, before: Date): Promise<void> {
  await reader.query('DELETE FROM emails WHERE sent_at < $1', [before]);
}
