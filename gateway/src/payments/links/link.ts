import type { IntegrationId, Mode } from '../../identity/integration.ts';
import type { Id } from '../../kit/ids.ts';
import { type Currency, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';

export type LinkId = Id<'payment-link'>;

/** A payment link as it is stored. Amounts are units at the currency's scale. */
export type PaymentLink = {
  id: LinkId;
  code: string;
  integrationId: IntegrationId;
  mode: Mode;
  title: string;
  description: string | null;
  currency: Currency;
  /** null: the customer names the amount, within the limits that are set. */
  amount: bigint | null;
  minAmount: bigint | null;
  maxAmount: bigint | null;
  oneUse: boolean;
  successUrl: string | null;
  expiresAt: Date | null;
  stoppedAt: Date | null;
  createdAt: Date;
};

/** How many payments of a link were ever completed, and the amounts of those that still are. */
export type LinkUse = { uses: number; revenue: bigint };

export const linkStatuses = ['active', 'used', 'expired', 'stopped'] as const;
/** Only an active link takes payments. `used`: it was for one use. */
export type LinkStatus = (typeof linkStatuses)[number];

export function linkStatus(
  { oneUse, stoppedAt, expiresAt }: Pick<PaymentLink, 'oneUse' | 'stoppedAt' | 'expiresAt'>,
  isUsed: boolean,
  now: Date,
): LinkStatus {
  if (oneUse && isUsed) return 'used';
  if (stoppedAt !== null) return 'stopped';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

export type LinkRow = {
  id: LinkId;
  code: string;
  integration_id: IntegrationId;
  mode: Mode;
  title: string;
  description: string | null;
  currency: Currency;
  amount: bigint | null;
  min_amount: bigint | null;
  max_amount: bigint | null;
  one_use: boolean;
  success_url: string | null;
  expires_at: Date | null;
  stopped_at: Date | null;
  created_at: Date;
};

/** The columns of a link, for joins with the alias `l`. */
export const linkColumns = `l.id, l.code, l.integration_id, l.mode, l.title, l.description, l.currency, l.amount,
  l.min_amount, l.max_amount, l.one_use, l.success_url, l.expires_at, l.stopped_at, l.created_at`;

export function linkOf(row: LinkRow): PaymentLink {
  return {
    id: row.id,
    code: row.code,
    integrationId: row.integration_id,
    mode: row.mode,
    title: row.title,
    description: row.description,
    currency: row.currency,
    amount: row.amount,
    minAmount: row.min_amount,
    maxAmount: row.max_amount,
    oneUse: row.one_use,
    successUrl: row.success_url,
    expiresAt: row.expires_at,
    stoppedAt: row.stopped_at,
    createdAt: row.created_at,
  };
}

/** Where the link leads: at the host of the hosted page, to which it leads its customers. */
function linkUrl(payUrl: string, code: string): string {
  return new URL(`/l/${code}`, payUrl).href;
}

/** A link as the API and the dashboard show it. */
export function linkView(payUrl: string, link: PaymentLink, { uses, revenue }: LinkUse, now: Date) {
  const decimal = (units: bigint | null) =>
    units === null ? null : decimalOf(units, currencyScale[link.currency]);
  return {
    id: link.id,
    url: linkUrl(payUrl, link.code),
    status: linkStatus(link, uses > 0, now),
    title: link.title,
    description: link.description,
    currency: link.currency,
    amount: decimal(link.amount),
    min_amount: decimal(link.minAmount),
    max_amount: decimal(link.maxAmount),
    one_use: link.oneUse,
    success_url: link.successUrl,
    expires_at: link.expiresAt?.toISOString() ?? null,
    uses,
    revenue: decimal(revenue) ?? '0',
    created_at: link.createdAt.toISOString(),
  };
}
