import type { Reader, Tx } from '../../kit/db/db.ts';
import { randomToken } from '../../kit/ids.ts';
import type { Integration, IntegrationId } from '../integration.ts';

/** A domain at which the hosted page of an integration is to be. */
export type PageDomain = {
  domain: string;
  /** What proves it, in a TXT record. */
  proof: string;
  verifiedAt: Date | null;
  /** Since when a proved domain shows its records no more. */
  lostAt: Date | null;
};

/** The domain of an integration's page; null: it has none of its own. */
export async function pageDomainOf(reader: Reader, id: IntegrationId): Promise<PageDomain | null> {
  const { rows } = await reader.query<PageDomain>(
    `SELECT page_domain AS domain, 'florin-verification=' || page_domain_token AS proof,
       page_domain_verified_at AS "verifiedAt", page_domain_lost_at AS "lostAt"
     FROM integrations WHERE id = $1 AND page_domain IS NOT NULL`,
    [id],
  );
  return rows[0] ?? null;
}

/** Sets another domain, which has to be proved; null removes it. */
export async function setPageDomain(tx: Tx, id: IntegrationId, domain: string | null): Promise<void> {
  await tx.query(
    `UPDATE integrations SET page_domain = $2, page_domain_token = $3, page_domain_verified_at = NULL,
       page_domain_checked_at = NULL, page_domain_lost_at = NULL
     WHERE id = $1`,
    [id, domain, domain === null ? null : randomToken()],
  );
}

/**
 * Notes that a domain was proved, unless it was changed meanwhile: `changed`. One domain is that of one integration: `taken`.
 */
export async function setPageDomainVerified(
  tx: Tx,
  id: IntegrationId,
  { domain, proof }: Pick<PageDomain, 'domain' | 'proof'>,
  now: Date,
): Promise<'verified' | 'changed' | 'taken'> {
  // Two integrations that prove one domain at the same time wait for each other here.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`page domain ${domain}`]);
  const { rowCount: others } = await tx.query(
    'SELECT FROM integrations WHERE page_domain = $1 AND page_domain_verified_at IS NOT NULL AND id <> $2',
    [domain, id],
  );
  if (others) return 'taken';
  const { rowCount } = await tx.query(
    `UPDATE integrations SET page_domain_verified_at = $4, page_domain_checked_at = $4, page_domain_lost_at = NULL
     WHERE id = $1 AND page_domain = $2 AND 'florin-verification=' || page_domain_token = $3`,
    [id, domain, proof, now],
  );
  return rowCount === 1 ? 'verified' : 'changed';
}

/**
 * The address of an integration's hosted page: at its own domain once that was proved, with the scheme, port and path of the
 * installation's address; else at that address.
 */
export function payUrlOf(payUrl: string, { pageDomain }: Pick<Integration, 'pageDomain'>): string {
  if (!pageDomain) return payUrl;
  const url = new URL(payUrl);
  url.hostname = pageDomain;
  return url.href;
}
