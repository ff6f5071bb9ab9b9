import { pageDomainSql } from '../../identity/integration.ts';
import { mailAccent } from '../../identity/integrations/brand-color.ts';
import { payUrlOf } from '../../identity/integrations/page-domain.ts';
import { customerAnswerLetter } from '../../identity/mail/customer-letters.ts';
import { appealAnswerLetter, appealOpenedLetter } from '../../identity/mail/letters.ts';
import { queueMail } from '../../identity/mail/mail.ts';
import { addressesOf } from '../../identity/merchants/people.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import type { AppealId, AppealReason } from '../payment/appeal.ts';
import { paymentUrl } from '../payment/page-link.ts';
import type { Author } from './messages.ts';

// Appeals and messages are marked in the transaction that queues their mails, so that each is mailed once. The code
// that writes them knows nothing of mails.

export type AppealMailDeps = { baseUrl: string; payUrl: string; now: Clock };

const mostAtOnce = 50;

const whatHappened: Record<AppealReason, string> = {
  part_paid: 'Less than the amount due came by the deadline. You decide: accept it, or refund it.',
  late: 'The money came too late, or too little of it came in time. You decide: accept it, or refund it.',
  paid_after_end: 'Money came after the payment had ended. You decide: accept it, or refund it.',
  disputed:
    'The customer disputes it. You can answer, or refund the customer; otherwise the operator decides.',
  reorg:
    'Money that had been booked has left its chain. You decide: accept what is left, or refund it. If the transaction is mined again, the payment is completed by itself.',
};

type Subject = {
  id: AppealId;
  integration_id: string;
  integration_name: string;
  brand_color: string | null;
  page_domain: string | null;
  mode: string;
  reason: AppealReason;
  reference: string;
  token: string;
  customer_email: string | null;
};

/**
 * Queues the mails about new appeals and messages; all new messages of an appeal are in one mail. Returns how many.
 */
export async function mailAppeals(db: Database, deps: AppealMailDeps): Promise<number> {
  return await transaction(
    db,
    async (tx) => (await mailNewAppeals(tx, deps)) + (await mailMessages(tx, deps)),
  );
}

async function mailNewAppeals(tx: Tx, deps: AppealMailDeps): Promise<number> {
  const { rows } = await tx.query<Subject>(
    `WITH mailed AS (
       UPDATE appeals SET mailed_at = $1 WHERE id IN (
         SELECT id FROM appeals WHERE mailed_at IS NULL ORDER BY opened_at LIMIT $2 FOR UPDATE SKIP LOCKED
       ) RETURNING *
     )
     SELECT a.id, a.integration_id, i.name AS integration_name, i.brand_color,
       ${pageDomainSql} AS page_domain, a.mode, a.reason, p.reference, p.token, p.customer_email
     FROM mailed a JOIN payments p ON p.id = a.payment_id JOIN integrations i ON i.id = a.integration_id`,
    [deps.now(), mostAtOnce],
  );
  for (const row of rows) {
    const letter = appealOpenedLetter({ ...words(deps, row), what: whatHappened[row.reason] });
    await mailMembers(tx, row, letter);
  }
  return rows.length;
}

async function mailMessages(tx: Tx, deps: AppealMailDeps): Promise<number> {
  const { rows } = await tx.query<Subject & { authors: Author[] }>(
    `WITH mailed AS (
       UPDATE appeal_messages SET mailed_at = $1 WHERE id IN (
         SELECT id FROM appeal_messages WHERE mailed_at IS NULL ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED
       ) RETURNING appeal_id, author
     )
     SELECT a.id, a.integration_id, i.name AS integration_name, i.brand_color,
       ${pageDomainSql} AS page_domain, a.mode, a.reason, p.reference, p.token, p.customer_email,
       array_agg(DISTINCT mailed.author) AS authors
     FROM mailed
     JOIN appeals a ON a.id = mailed.appeal_id
     JOIN payments p ON p.id = a.payment_id
     JOIN integrations i ON i.id = a.integration_id
     GROUP BY a.id, p.id, i.id`,
    [deps.now(), mostAtOnce],
  );
  for (const row of rows) {
    for (const from of ['customer', 'operator'] as const) {
      if (row.authors.includes(from))
        await mailMembers(tx, row, appealAnswerLetter({ ...words(deps, row), from }));
    }
    const isAnswered = row.authors.some((author) => author !== 'customer');
    if (isAnswered) await mailCustomer(tx, deps, row);
  }
  return rows.length;
}

function words({ baseUrl }: AppealMailDeps, row: Subject) {
  const url = `${baseUrl}/app/i/${row.integration_id}/${row.mode}/appeals?open=${row.id}`;
  return { integration: row.integration_name, reference: row.reference, url };
}

async function mailMembers(
  tx: Tx,
  row: Subject,
  letter: ReturnType<typeof appealOpenedLetter>,
): Promise<void> {
  await queueMail(tx, { to: await addressesOf(tx, row.integration_id, 'answer appeals'), ...letter });
}

async function mailCustomer(tx: Tx, deps: AppealMailDeps, row: Subject): Promise<void> {
  const to = row.customer_email;
  if (to === null) return;
  // Anybody who signs up can make test payments for any address: mails about those go to members of the business
  // only.
  const isReached = row.mode === 'live' || (await addressesOf(tx, row.integration_id, 'read')).includes(to);
  if (!isReached) return;
  const payUrl = payUrlOf(deps.payUrl, { pageDomain: row.page_domain });
  const url = paymentUrl(payUrl, row.reference, row.integration_id, row.token);
  const letter = customerAnswerLetter({ ...words(deps, row), url, ...mailAccent(row.brand_color) });
  await queueMail(tx, { to, ...letter });
}
