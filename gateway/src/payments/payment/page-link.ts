import type { Integration } from '../../identity/integration.ts';
import { payUrlOf } from '../../identity/integrations/page-domain.ts';
import { type Action, mayKey } from '../../identity/keys/guards.ts';
import type { ApiKey } from '../../identity/keys/keys.ts';
import { mayRole, type Permission, type Role } from '../../identity/roles.ts';
import type { Payment } from './payment.ts';

/** Where the customer pays; the token is what opens the page. */
export function paymentUrl(payUrl: string, reference: string, app: string, token: string): string {
  return `${payUrl}?reference=${encodeURIComponent(reference)}&app=${app}&token=${token}`;
}

/**
 * Where the pages of payments are; null for those who must not know it: a page's address has its token, with which a refund
 * can be claimed (contract.md#money-out).
 */
export type PagesAt = string | null;

const ofKeys: readonly Action[] = ['create payments', 'make refunds'];
const ofPeople: readonly Permission[] = ['create payments', 'make payouts'];

/** For a key: null where it neither makes payments nor refunds. */
export const pagesForKey = (payUrl: string, key: ApiKey): PagesAt =>
  ofKeys.some((action) => mayKey(key, action)) ? payUrlOf(payUrl, key.integration) : null;

/** For a person: null where they may only read. */
export const pagesForRole = (
  payUrl: string,
  { role, integration }: { role: Role; integration: Pick<Integration, 'pageDomain'> },
): PagesAt =>
  ofPeople.some((permission) => mayRole(role, permission)) ? payUrlOf(payUrl, integration) : null;

/** The address of a payment's page; null for those who must not know it. */
export function pageLink(
  pagesAt: PagesAt,
  { reference, integrationId, token }: Pick<Payment, 'reference' | 'integrationId' | 'token'>,
): string | null {
  return pagesAt === null ? null : paymentUrl(pagesAt, reference, integrationId, token);
}
