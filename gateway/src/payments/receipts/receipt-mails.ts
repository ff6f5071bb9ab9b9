import type { Reader, Tx } from '../../kit/db/db.ts';

/** The receipt that was mailed last; `sentTo` is a shortened address, null: none was mailed yet. */
export type MailedReceipt = { sentTo: string | null };

/** A completed payment whose receipt is due, with the address that its merchant gave. */
export type DueReceipt = {
  paymentId: string;
  email: string;
  /** A language of the hosted page. */
  locale: string;
  reference: string;
  app: string;
  token: string;
};

const mostAtOnce = 50;

/** Notes in which language a live payment's customer gets the receipt, where the merchant gave an address. */
export async function noteReceipt(tx: Tx, paymentId: string, locale: string): Promise<void> {
  await tx.query(
    `INSERT INTO receipt_mails (payment_id, locale)
     SELECT id, $2 FROM payments WHERE id = $1 AND mode = 'live' AND customer_email IS NOT NULL
     ON CONFLICT (payment_id) DO UPDATE SET locale = excluded.locale WHERE receipt_mails.sent_at IS NULL`,
    [paymentId, locale],
  );
}

/** Locks receipts whose payments are completed, and forgets those of payments that ended otherwise. */
export async function takeDueReceipts(tx: Tx, now: Date): Promise<DueReceipt[]> {
  await tx.query(
    `DELETE FROM receipt_mails r USING payments p
     WHERE r.sent_at IS NULL AND p.id = r.payment_id AND p.status IN ('failed', 'cancelled')
       AND (p.late_until IS NULL OR p.late_until < $1)`,
    [now],
  );
  const { rows } = await tx.query<DueReceipt>(
    `SELECT r.payment_id AS "paymentId", r.locale, p.reference, p.integration_id AS app, p.token, p.customer_email AS email
     FROM receipt_mails r JOIN payments p ON p.id = r.payment_id
     WHERE r.sent_at IS NULL AND p.status = 'completed'
     ORDER BY r.payment_id LIMIT $1 FOR UPDATE OF r SKIP LOCKED`,
    [mostAtOnce],
  );
  return rows;
}

/** Notes that the receipt was mailed, in the transaction that queued the mail. */
export async function markMailed(
  tx: Tx,
  paymentId: string,
  { email, locale }: { email: string; locale: string },
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO receipt_mails (payment_id, locale, sent_at, sent_to) VALUES ($1, $2, $3, $4)
     ON CONFLICT (payment_id) DO UPDATE SET locale = $2, sent_at = $3, sent_to = $4`,
    [paymentId, locale, now, shortened(email)],
  );
}

export async function mailedReceipt(reader: Reader, paymentId: string): Promise<MailedReceipt> {
  const { rows } = await reader.query<MailedReceipt>(
    'SELECT sent_to AS "sentTo" FROM receipt_mails WHERE payment_id = $1',
    [paymentId],
  );
  return rows[0] ?? { sentTo: null };
}

/** `ada@example.com` as `a•••@example.com`: whoever has the page's link need not learn the address. */
function shortened(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email][0] ?? ''}•••${email.slice(at)}`;
}
