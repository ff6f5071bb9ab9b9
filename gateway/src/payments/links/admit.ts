import type { Tx } from '../../kit/db/db.ts';
import { type Refusal, refuse } from '../../kit/errors.ts';
import { paymentErrors } from '../payment/errors.ts';
import { type LinkId, linkStatus } from './link.ts';

/**
 * So many payments of a link may wait for their customers to choose how to pay: without a limit whoever has the link could
 * make any number.
 */
export const mostWaiting = 100;

type Admission = {
  id: LinkId;
  one_use: boolean;
  expires_at: Date | null;
  stopped_at: Date | null;
  is_used: boolean;
  is_taken: boolean;
  waiting: number;
};

/**
 * Which of these links' payments may be made, in their order; null: it may. Locks the links, so that of two payments of
 * a one-use link which are made at once one is refused.
 *
 * A payment of a one-use link blocks it until the payment has ended without money; one that was completed once blocks it for
 * ever. A payment goes from open to completed in one statement, so that every reader finds it as one or the other. After it
 * was abandoned only a person completes it (`decide`).
 */
export async function admitPayments(
  tx: Tx,
  links: readonly LinkId[],
  now: Date,
): Promise<(Refusal | null)[]> {
  const ids = [...new Set(links)];
  await tx.query('SELECT FROM payment_links WHERE id = ANY ($1) ORDER BY id FOR UPDATE', [ids]);
  // A statement of its own: it sees what was committed before the lock was taken.
  const { rows } = await tx.query<Admission>(
    `SELECT l.id, l.one_use, l.expires_at, l.stopped_at,
       l.one_use AND EXISTS (SELECT FROM payments p WHERE p.link_id = l.id AND p.completed_at IS NOT NULL) AS is_used,
       l.one_use AND EXISTS (SELECT FROM payments p WHERE p.link_id = l.id
         AND p.status IN ('unlinked', 'linked', 'pending', 'in-appeal')) AS is_taken,
       (SELECT count(*)::int FROM (SELECT FROM payments p WHERE p.link_id = l.id AND p.status = 'unlinked'
         LIMIT $2) w) AS waiting
     FROM payment_links l WHERE l.id = ANY ($1)`,
    [ids, mostWaiting],
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  return links.map((id) => {
    const link = found.get(id);
    const fault = link ? faultOf(link, now) : refuse(paymentErrors.link_ended);
    if (link && !fault) {
      link.waiting++;
      link.is_taken = link.one_use;
    }
    return fault;
  });
}

function faultOf(link: Admission, now: Date): Refusal | null {
  const { one_use: oneUse, expires_at: expiresAt, stopped_at: stoppedAt } = link;
  if (linkStatus({ oneUse, expiresAt, stoppedAt }, link.is_used, now) !== 'active')
    return refuse(paymentErrors.link_ended);
  if (link.is_taken) return refuse(paymentErrors.link_taken);
  return link.waiting >= mostWaiting ? refuse(paymentErrors.link_full) : null;
}
