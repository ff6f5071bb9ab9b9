import type { IntegrationId, Mode } from '../../identity/integration.ts';
import type { Id } from '../../kit/ids.ts';
import { type Currency, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { minorDigits, type PriceCurrency } from '../../money/price-currencies.ts';
import { priceOfRow } from '../payment/payment-row.ts';
import { askedOf, type Price } from '../payment/price.ts';

export type LinkId = Id<'payment-link'>;

/**
 * What the payments of a link ask: an amount in units of a currency, null where the customer names it within the limits that
 * are set; or a price, whose customers choose a currency where there is none, among `choices` where they are named.
 */
export type LinkAsks =
  | { price: null; currency: Currency; choices: null; amount: bigint | null }
  | { price: Price; currency: Currency | null; choices: Currency[] | null; amount: null };

/** A payment link as it is stored. Amounts are units at the currency's scale. */
export type PaymentLink = LinkFields & LinkAsks;

type LinkFields = {
  id: LinkId;
  code: string;
  integrationId: IntegrationId;
  mode: Mode;
  title: string;
  description: string | null;
  minAmount: bigint | null;
  maxAmount: bigint | null;
  oneUse: boolean;
  successUrl: string | null;
  expiresAt: Date | null;
  stoppedAt: Date | null;
  createdAt: Date;
};

/** How many payments of a link were ever completed, and the number and amounts of those that still are. */
export type LinkUse = {
  uses: number;
  completed: number;
  revenue: bigint;
  /** What did not come of the prices of those that were completed short, in minor units. */
  lackingPrice: bigint;
};

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
  currency: Currency | null;
  amount: bigint | null;
  price_amount: bigint | null;
  price_currency: PriceCurrency | null;
  choices: Currency[] | null;
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
  l.price_amount, l.price_currency, l.choices,  l.min_amount, l.max_amount, l.one_use, l.success_url, l.expires_at, l.stopped_at, l.created_at`;

export function linkOf(row: LinkRow): PaymentLink {
  return {
    id: row.id,
    code: row.code,
    integrationId: row.integration_id,
    mode: row.mode,
    title: row.title,
    description: row.description,
    ...asksOf(row),
    minAmount: row.min_amount,
    maxAmount: row.max_amount,
    oneUse: row.one_use,
    successUrl: row.success_url,
    expiresAt: row.expires_at,
    stoppedAt: row.stopped_at,
    createdAt: row.created_at,
  };
}

function asksOf(row: LinkRow): LinkAsks {
  const { currency, choices, amount } = row;
  const price = priceOfRow(row);
  if (price) return { price, currency, choices, amount: null };
  if (currency === null) throw new Error(`Payment link ${row.id} asks nothing`);
  return { price: null, currency, choices: null, amount };
}

/** What a link asks as people read it; the amount is null where the customer names it. */
export function linkAsked(link: LinkAsks): { amount: string | null; currency: Currency | PriceCurrency } {
  if (link.price === null && link.amount === null) return { amount: null, currency: link.currency };
  return askedOf(link);
}

/** Where the link leads: at the host of the hosted page, to which it leads its customers. */
function linkUrl(payUrl: string, code: string): string {
  return new URL(`/l/${code}`, payUrl).href;
}

/** A link as the API and the dashboard show it. */
export function linkView(payUrl: string, link: PaymentLink, use: LinkUse, now: Date) {
  const { uses } = use;
  const decimal = (units: bigint | null) =>
    units === null || link.currency === null ? null : decimalOf(units, currencyScale[link.currency]);
  const { price } = link;
  const revenue = price
    ? decimalOf(price.amount * BigInt(use.completed) - use.lackingPrice, minorDigits(price.currency))
    : decimal(use.revenue);
  return {
    id: link.id,
    url: linkUrl(payUrl, link.code),
    status: linkStatus(link, uses > 0, now),
    title: link.title,
    description: link.description,
    ...linkAsked(link),
    paid_currency: link.currency,
    currencies: link.choices,
    min_amount: decimal(link.minAmount),
    max_amount: decimal(link.maxAmount),
    one_use: link.oneUse,
    success_url: link.successUrl,
    expires_at: link.expiresAt?.toISOString() ?? null,
    uses,
    revenue: revenue ?? '0',
    created_at: link.createdAt.toISOString(),
  };
}
