import type { Reader, Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { type AppealId, type AppealName, type AppealRow, findAppeal } from '../payment/appeal.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { StateDeps } from '../payment/state.ts';
import { changePayments } from '../settlement/changes.ts';
import { raiseVersion } from '../settlement/moves.ts';

/** The longest message, in characters. */
export const maxMessageLength = 2_000;

export type Author = 'merchant' | 'customer' | 'operator';

export type Message = {
  id: string;
  author: Author;
  /** Who wrote it; null for the customer. */
  account_id: string | null;
  text: string;
  at: Date;
};

/** Everything that was said in an appeal, in order. */
export async function messagesOf(reader: Reader, appealId: string): Promise<Message[]> {
  const { rows } = await reader.query<Message>(
    'SELECT id, author, account_id, text, at FROM appeal_messages WHERE appeal_id = $1 ORDER BY id',
    [appealId],
  );
  return rows;
}

/** The business or the operator writes into an appeal that is open; `appeal_closed` otherwise. */
export async function answerAppeal(
  tx: Tx,
  deps: StateDeps,
  which: AppealName,
  message: { author: Author; accountId: string; text: string },
): Promise<AppealRow> {
  const { payment_id: id } = await findAppeal(tx, which);
  return await changePayments(tx, deps, [id], async (changes) => {
    // Read again under the lock: somebody may have decided meanwhile.
    const appeal = await findAppeal(tx, which);
    if (appeal.closed_at) throw refuse(paymentErrors.appeal_closed);
    await write(tx, appeal.id, message, deps.now());
    raiseVersion(changes, id);
    return appeal;
  });
}

/** The customer writes on the payment's page; `not_possible` unless the payment is in appeal. */
export async function writeAsCustomer(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  text: string,
): Promise<void> {
  await changePayments(tx, deps, [paymentId], async (changes) => {
    const { rows } = await tx.query<{ id: AppealId }>(
      'SELECT id FROM appeals WHERE payment_id = $1 AND closed_at IS NULL',
      [paymentId],
    );
    const { status } = changes.payment(paymentId);
    if (!rows[0]) throw refuse(paymentErrors.not_possible, { status });
    await write(tx, rows[0].id, { author: 'customer', accountId: null, text }, deps.now());
    raiseVersion(changes, paymentId);
  });
}

/** What was said in the payment's open appeal; nothing when it is in none. */
export async function openMessagesOf(reader: Reader, paymentId: string): Promise<Message[]> {
  const { rows } = await reader.query<Message>(
    `SELECT m.id, m.author, m.account_id, m.text, m.at
     FROM appeals a JOIN appeal_messages m ON m.appeal_id = a.id
     WHERE a.payment_id = $1 AND a.closed_at IS NULL ORDER BY m.id`,
    [paymentId],
  );
  return rows;
}

/** Each message may be mailed to the others, who cannot stop its author. */
const mostInARow = 20;

/** Throws `appeal_unanswered` after twenty messages of one author that nobody answered. */
async function write(
  tx: Tx,
  appealId: string,
  { author, accountId, text }: { author: Author; accountId: string | null; text: string },
  now: Date,
): Promise<void> {
  const last = await tx.query<{ own: number }>(
    `SELECT count(*) FILTER (WHERE author = $2)::int AS own FROM (
       SELECT author FROM appeal_messages WHERE appeal_id = $1 ORDER BY id DESC LIMIT $3) last`,
    [appealId, author, mostInARow],
  );
  if (oneRow(last, 'messages in a row').own === mostInARow) throw refuse(paymentErrors.appeal_unanswered);
  await tx.query(
    'INSERT INTO appeal_messages (id, appeal_id, author, account_id, text, at) VALUES ($1, $2, $3, $4, $5, $6)',
    [newId(now), appealId, author, accountId, text, now],
  );
}
