import { after } from '../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { gatewayActor, recordChange } from '../audit/audit-log.ts';
import type { IntegrationId } from '../integration.ts';
import type { PageDomain } from './page-domain.ts';
import type { PageDomainCheck } from './page-domain-check.ts';

const everySeconds = 6 * 3600;
const mostAtOnce = 20;
/** For so long a domain may show no records: servers of names fail, too. */
const graceSeconds = 3 * 86_400;

type Due = Pick<PageDomain, 'domain' | 'proof'> & { id: IntegrationId };

/**
 * Looks again whether proved domains still lead here. One that has not for three days may be somebody else's by now: its
 * page is at the installation's address again. Returns whether that happened to one.
 */
export async function recheckPageDomains(db: Database, check: PageDomainCheck, now: Date): Promise<boolean> {
  let wasLost = false;
  for (const due of await transaction(db, (tx) => takeDue(tx, now))) {
    const why = await check(due.domain, due.proof);
    const isLost = await transaction(db, (tx) =>
      why === null ? noteFound(tx, due) : noteLost(tx, due, now),
    );
    wasLost ||= isLost;
  }
  return wasLost;
}

async function takeDue(tx: Tx, now: Date): Promise<Due[]> {
  const { rows } = await tx.query<Due>(
    `UPDATE integrations SET page_domain_checked_at = $1 WHERE id IN (
       SELECT id FROM integrations
       WHERE page_domain_verified_at IS NOT NULL AND page_domain_checked_at <= $2
       ORDER BY page_domain_checked_at LIMIT $3 FOR UPDATE SKIP LOCKED
     ) RETURNING id, page_domain AS domain, 'florin-verification=' || page_domain_token AS proof`,
    [now, after(now, -everySeconds), mostAtOnce],
  );
  return rows;
}

async function noteFound(tx: Tx, { id, domain }: Due): Promise<false> {
  await tx.query(
    'UPDATE integrations SET page_domain_lost_at = NULL WHERE id = $1 AND page_domain = $2 AND page_domain_lost_at IS NOT NULL',
    [id, domain],
  );
  return false;
}

async function noteLost(tx: Tx, { id, domain }: Due, now: Date): Promise<boolean> {
  const { rows } = await tx.query<{ isOver: boolean }>(
    `UPDATE integrations SET page_domain_lost_at = coalesce(page_domain_lost_at, $3)
     WHERE id = $1 AND page_domain = $2 AND page_domain_verified_at IS NOT NULL
     RETURNING page_domain_lost_at <= $4 AS "isOver"`,
    [id, domain, now, after(now, -graceSeconds)],
  );
  if (!rows[0]?.isOver) return false;
  await tx.query(
    'UPDATE integrations SET page_domain_verified_at = NULL, page_domain_lost_at = NULL WHERE id = $1',
    [id],
  );
  const change = {
    action: 'stopped using the domain of the payment page',
    subject: { kind: 'integration', id },
    integrationId: id,
    before: { page_domain: domain },
  };
  await recordChange(tx, gatewayActor, change, now);
  return true;
}
