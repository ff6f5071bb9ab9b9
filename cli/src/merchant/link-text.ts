import type { PaymentLink } from '@florin/sdk';
import { type Column, recordOf } from '../output/table.ts';
import { localTime, toneOf } from '../output/text.ts';

/** A payment link as one row of a list. */
export const linkColumns: Column<PaymentLink>[] = [
  { title: 'created', of: ({ created_at }) => localTime(created_at) },
  { title: 'link', of: ({ id }) => id },
  { title: 'title', of: ({ title }) => title },
  { title: 'amount', of: amountOf },
  { title: 'status', of: ({ status }) => status, tone: ({ status }) => toneOf(status) },
  { title: 'uses', of: ({ uses }) => `${uses}`, isNumber: true },
  { title: 'revenue', of: ({ revenue, currency }) => `${revenue} ${currency}`, isNumber: true },
];

/** `25 USDC`, `5 to 50 USDC`, `from 5 USDC`, `any amount of USDC`. */
function amountOf({ amount, min_amount: min, max_amount: max, currency }: PaymentLink): string {
  if (amount !== null) return `${amount} ${currency}`;
  if (min !== null) return `${max === null ? `from ${min}` : `${min} to ${max}`} ${currency}`;
  return max === null ? `any amount of ${currency}` : `up to ${max} ${currency}`;
}

/** Which coin pays a price; nothing where there is none. */
function paidInOf({ currency, paid_currency: paid, currencies }: PaymentLink): string {
  if (paid === currency) return '';
  return paid ?? `${currencies?.join(', ') ?? 'any coin'}, as the customer chooses`;
}

/** The details of a payment link, for people. */
export function linkText(link: PaymentLink): string {
  return recordOf([
    ['link', link.id],
    ['title', link.title],
    ['description', link.description ?? ''],
    ['amount', amountOf(link)],
    ['paid in', paidInOf(link)],
    ['for', link.one_use ? 'one payment' : 'any number of payments'],
    ['status', link.status, toneOf(link.status)],
    ['uses', `${link.uses}`],
    ['revenue', `${link.revenue} ${link.currency}`],
    ['expires', link.expires_at === null ? '' : localTime(link.expires_at)],
    ['pay at', link.url],
  ]);
}
