import type { Mode } from '../../identity/integration.ts';
import type { DayCount, DayFacts } from '../day-facts.ts';
import type { Kind } from '../kinds.ts';

/** What a person reads. Nothing in it is about a customer, and its page asks for a sign-in (contract.md#notices). */
export type Notice = {
  title: string;
  lines: string[];
  /** Below the dashboard's address, such as `i/{integration}/live/payments/order-7`. */
  path: string;
};

export type NoticePlace = {
  integrationId: string;
  mode: Mode;
  integration: string;
  /** What people call an asset: `USDC on Base`. Other codes stay as they are. */
  nameOf: (asset: string) => string;
};

/** The fields of the bodies of events that a notice is made of; all others stay out. */
type Facts = {
  event_type: string;
  currency?: string;
  amount?: number | string;
  asset?: string;
  payment_reference?: string;
  payout_reference?: string;
  payout_id?: string;
  short?: boolean;
  paid_asset?: string;
  paid_amount?: string;
  refund_asset?: string;
  refund_amount?: string;
  url?: string;
};

const titles: Readonly<Record<string, string>> = {
  payment_completed: 'Paid',
  payment_failed: 'Payment failed',
  payment_in_appeal: 'In appeal',
  payment_refunded: 'Refunded',
  payout_completed: 'Payout sent',
  payout_failed: 'Payout failed',
};

/** What is told of one event. `isFirst`: it is the first payment of the day. */
export function noticeOf(body: string, place: NoticePlace, isFirst: boolean): Notice {
  const facts = JSON.parse(body) as Facts;
  const { event_type: type } = facts;
  if (type === 'notice_day') return dayNotice(JSON.parse(body) as DayFacts, place);
  const base = `i/${place.integrationId}/${place.mode}`;
  if (type === 'notice_test') {
    return said(place, 'This is a test', ['Notices arrive here.'], `${base}/settings?tab=notices`);
  }
  if (type === 'webhook_endpoint_disabled') {
    const lines = [`Every attempt to ${hostOf(facts.url)} failed for seven days.`];
    return said(place, 'A webhook endpoint was turned off', lines, `${base}/webhooks`);
  }
  if (type.startsWith('payout_')) {
    const title = `${titles[type] ?? 'Payout'}: ${facts.amount} ${place.nameOf(facts.asset ?? '')}`;
    return said(place, title, [facts.payout_reference || 'No reference'], `${base}/balances?tab=payouts`);
  }
  const { refund_amount: refunded, refund_asset: asset, payment_reference: reference = '' } = facts;
  const amount = refunded === undefined ? amountOf(facts, place) : `${refunded} ${place.nameOf(asset ?? '')}`;
  const what = isFirst ? 'First payment of the day' : (titles[type] ?? type);
  return said(place, `${what}: ${amount}`, [reference], `${base}/payments/${encodeURIComponent(reference)}`);
}

/** What was asked; of a priced payment also what was paid, and what came of a payment that is a little short. */
function amountOf(
  { amount, currency, short, paid_asset, paid_amount }: Facts,
  { nameOf }: NoticePlace,
): string {
  const asked = `${amount} ${currency}`;
  if (paid_asset) return `${asked} (${paid_amount} ${nameOf(paid_asset)})`;
  return short ? `${paid_amount} of ${asked}` : asked;
}

function said(place: NoticePlace, title: string, lines: string[], path: string): Notice {
  const test = place.mode === 'test' ? 'Test mode. ' : '';
  return { title: `${test}${title}`, lines: [...lines, place.integration], path };
}

/** An address of a webhook may hold a secret behind its host. */
function hostOf(url: string | undefined): string {
  return (url === undefined ? null : URL.parse(url))?.host ?? 'it';
}

const names: Readonly<Partial<Record<Kind, string>>> = {
  paid: 'Paid',
  failed: 'Failed',
  in_appeal: 'In appeal',
  refunded: 'Refunded',
  payout_done: 'Payouts',
  endpoint_down: 'Webhook endpoints turned off',
};

function dayNotice({ counts }: DayFacts, place: NoticePlace): Notice {
  const happened = counts.filter(({ count }) => count > 0);
  const lines =
    happened.length === 0 ? ['Nothing happened.'] : happened.map((each) => countLine(each, place));
  return said(place, 'Your day', lines, `i/${place.integrationId}/${place.mode}/overview`);
}

function countLine({ kind, count, totals, references }: DayCount, { nameOf }: NoticePlace): string {
  const sums = totals.map(({ currency, amount }) => `${amount} ${nameOf(currency)}`).join(', ');
  const more = count - references.length;
  const list =
    references.length === 0 ? '' : `: ${references.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${names[kind] ?? kind}: ${count}${sums && ` (${sums})`}${list}`;
}
