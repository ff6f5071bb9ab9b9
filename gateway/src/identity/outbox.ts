import type { Reader, Tx } from '../kit/db.ts';

export const mailStates = ['waiting', 'sent', 'failed'] as const;
export type MailState = (typeof mailStates)[number];

/** A mail without its words, which may hold links that let people in. */
export type MailLine = {
  id: string;
  recipient: string;
  subject: string;
  state: MailState;
  created_at: Date;
  sent_at: Date | null;
  attempts: number;
  /** null: nothing more will be tried. */
  next_attempt_at: Date | null;
  last_error: string | null;
  /** The words are dropped once a mail was sent. */
  has_text: boolean;
};

const state = `CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN failed_at IS NOT NULL THEN 'failed' ELSE 'waiting' END`;

/** Mails of one state or all, newest first, before the mail `before`. */
export async function outboxMails(
  reader: Reader,
  query: { state: MailState | null; before: string | null; limit: number },
): Promise<MailLine[]> {
  const { rows } = await reader.query<MailLine>(
    `SELECT id, recipient, subject, ${state} AS state, created_at, sent_at, attempts, last_error,
       CASE WHEN sent_at IS NULL AND failed_at IS NULL THEN next_attempt_at END AS next_attempt_at,
       text IS NOT NULL AS has_text
     FROM emails
     WHERE ($1::uuid IS NULL OR id < $1) AND ($3::text IS NULL OR ${state} = $3)
     ORDER BY id DESC LIMIT $2`,
    [query.before, query.limit, query.state],
  );
  return rows;
}

/** The words of a mail; null when there is none, or they were dropped. */
export async function mailText(
  reader: Reader,
  id: string,
): Promise<{ recipient: string; subject: string; text: string } | null> {
  const { rows } = await reader.query<{ recipient: string; subject: string; text: string }>(
    'SELECT recipient, subject, text FROM emails WHERE id = $1 AND text IS NOT NULL',
    [id],
  );
  return rows[0] ?? null;
}

/** Lets a mail that waits or failed be tried at once, and returns to whom; null when there is none to try. */
export async function retryMail(tx: Tx, id: string): Promise<string | null> {
  const { rows } = await tx.query<{ recipient: string }>(
    `UPDATE emails SET failed_at = NULL, attempts = 0, next_attempt_at = now()
     WHERE id = $1 AND sent_at IS NULL RETURNING recipient`,
    [id],
  );
  return rows[0]?.recipient ?? null;
}
