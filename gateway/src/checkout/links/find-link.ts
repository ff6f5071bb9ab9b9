import { type IntegrationRow, integrationColumns, integrationOf } from '../../identity/integration.ts';
import { payUrlOf } from '../../identity/integrations/page-domain.ts';
import { shopSql } from '../../identity/integrations/settings.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { Refusal } from '../../kit/errors.ts';
import { masker } from '../../kit/masked.ts';
import { assertCreatable, type CreateDeps } from '../../payments/create/create.ts';
import type { Creator } from '../../payments/create/draft.ts';
import { type LinkStatus, linkStatus, type PaymentLink } from '../../payments/links/link.ts';
import { findLinkByCode } from '../../payments/links/links.ts';
import { paymentUrl } from '../../payments/payment/page-link.ts';
import type { PaymentStatus } from '../../payments/payment/payment.ts';
import type { PaidShop } from '../checkout-payment.ts';

/**
 * What the page shows. `taken`: a payment of the one-use link is open; `until`: when it ends by itself. `own`: the address
 * of that payment, if this customer made it. `closed`: no payment of the integration can be made at the moment.
 */
type LinkState =
  | { name: Exclude<LinkStatus, 'active' | 'used'> | 'open' | 'closed' }
  | { name: 'used'; own: string | null }
  | { name: 'taken'; until: Date | null; own: string | null };

/** A link with everything that its page shows. */
export type LinkPage = { link: PaymentLink; creator: Creator; shop: PaidShop; state: LinkState };

export type FindLinkDeps = Pick<CreateDeps, 'termsOf' | 'rates' | 'payUrl' | 'isDirectRequired'> & {
  now: Clock;
};

/** Reads the page of a link; `ownPayment` is the reference of the payment that this customer made by it. */
export async function findLinkPage(
  reader: Reader,
  deps: FindLinkDeps,
  code: string,
  ownPayment: string | null,
): Promise<LinkPage | null> {
  const link = await findLinkByCode(reader, code);
  if (!link) return null;
  const found = await reader.query<IntegrationRow & { shop: Omit<PaidShop, 'id'> }>(
    `SELECT ${integrationColumns}, ${shopSql} AS shop
     FROM integrations i WHERE i.id = $1`,
    [link.integrationId],
  );
  const { shop, ...integration } = oneRow(found, 'integration of a payment link');
  const creator: Creator = { integration: integrationOf(integration), mode: link.mode };
  const state = await stateOf(reader, deps, { link, creator, ownPayment });
  return { link, creator, shop: { id: link.integrationId, ...shop }, state };
}

type Use = {
  reference: string;
  token: string;
  status: PaymentStatus;
  deadline: Date;
  completed_at: Date | null;
};

async function stateOf(
  reader: Reader,
  deps: FindLinkDeps,
  { link, creator, ownPayment }: { link: PaymentLink; creator: Creator; ownPayment: string | null },
): Promise<LinkState> {
  const uses = link.oneUse ? await usesOfOne(reader, link) : [];
  const urlOf = (use: Use): string | null =>
    use.reference === ownPayment
      ? paymentUrl(
          payUrlOf(deps.payUrl, creator.integration),
          use.reference,
          link.integrationId,
          masker()(use.token),
        )
      : null;
  const done = uses.find(({ completed_at }) => completed_at !== null);
  const now = deps.now();
  const status = linkStatus(link, done !== undefined, now);
  if (status === 'used') return { name: 'used', own: done ? urlOf(done) : null };
  const [open] = uses;
  if (open) {
    const endsByItself = ['unlinked', 'linked'].includes(open.status) && open.deadline > now;
    return { name: 'taken', until: endsByItself ? open.deadline : null, own: urlOf(open) };
  }
  if (status !== 'active') return { name: status };
  return { name: isClosed(deps, link, creator) ? 'closed' : 'open' };
}

/** The payments that make a one-use link unavailable: those that are open, and the completed one. */
async function usesOfOne(reader: Reader, { id }: PaymentLink): Promise<Use[]> {
  const { rows } = await reader.query<Use>(
    `SELECT reference, token, status, deadline, completed_at FROM payments
     WHERE link_id = $1
       AND (completed_at IS NOT NULL OR status IN ('unlinked', 'linked', 'pending', 'in-appeal'))
     ORDER BY created_at DESC, id DESC`,
    [id],
  );
  return rows;
}

function isClosed(deps: FindLinkDeps, link: PaymentLink, creator: Creator): boolean {
  try {
    const asks = link.price ? link : { ...link, amount: link.amount ?? undefined };
    assertCreatable(deps, creator, { asks, ...successOf(link) });
    return false;
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}

/** The address that the link sets for after the payment, as input of a payment. */
export function successOf({ successUrl: uri }: PaymentLink) {
  return uri === null ? {} : { success_url: { uri, url: new URL(uri) } };
}
