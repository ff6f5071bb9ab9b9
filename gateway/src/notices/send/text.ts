import type { Mode } from '../../identity/integration.ts';
import type { DayCount, DayFacts } from '../day-facts.ts';
import type { NoticeLanguage } from '../languages.ts';
import { type NoticeWord, say } from '../words.ts';

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
  language: NoticeLanguage;
  /** The currency and network of an asset; undefined: the code is none. */
  assetOf: (code: string) => { currency: string; network: string } | undefined;
};

/** What people call an asset: `USDC on Base`. Other codes stay as they are. */
function nameIn({ language, assetOf }: NoticePlace, code: string): string {
  const { currency, network } = assetOf(code) ?? {};
  return currency === undefined || network === undefined
    ? code
    : say(language, 'onNetwork', { currency, network });
}

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

/** The events that have a title of their own. */
const titles = [
  'payment_completed',
  'payment_failed',
  'payment_in_appeal',
  'payment_refunded',
  'payout_completed',
  'payout_failed',
] as const satisfies readonly NoticeWord[];

/** What is told of one event. `isFirst`: it is the first payment of the day. */
export function noticeOf(body: string, place: NoticePlace, isFirst: boolean): Notice {
  const facts = JSON.parse(body) as Facts;
  const { event_type: type } = facts;
  const { language } = place;
  if (type === 'notice_day') return dayNotice(JSON.parse(body) as DayFacts, place);
  const base = `i/${place.integrationId}/${place.mode}`;
  if (type === 'notice_test') {
    const lines = [say(language, 'testLine')];
    return said(place, say(language, 'testTitle'), lines, `${base}/settings?tab=notices`);
  }
  if (type === 'webhook_endpoint_disabled') {
    const lines = [say(language, 'endpointLine', { host: hostOf(facts.url) })];
    return said(place, say(language, 'endpointTitle'), lines, `${base}/webhooks`);
  }
  const title = titles.find((each) => each === type);
  if (type.startsWith('payout_')) {
    const amount = `${facts.amount} ${nameIn(place, facts.asset ?? '')}`;
    const what = say(language, title ?? 'payout');
    const lines = [facts.payout_reference || say(language, 'noReference')];
    return said(place, say(language, 'titled', { what, amount }), lines, `${base}/balances?tab=payouts`);
  }
  const { refund_amount: refunded, refund_asset: asset, payment_reference: reference = '' } = facts;
  const amount =
    refunded === undefined ? amountOf(facts, place) : `${refunded} ${nameIn(place, asset ?? '')}`;
  const what = isFirst ? say(language, 'first') : title ? say(language, title) : type;
  const path = `${base}/payments/${encodeURIComponent(reference)}`;
  return said(place, say(language, 'titled', { what, amount }), [reference], path);
}

/** What was asked; of a priced payment also what was paid, and what came of a payment that is a little short. */
function amountOf({ amount, currency, short, paid_asset, paid_amount }: Facts, place: NoticePlace): string {
  const asked = `${amount} ${currency}`;
  if (paid_asset) return `${asked} (${paid_amount} ${nameIn(place, paid_asset)})`;
  return short ? say(place.language, 'short', { paid: paid_amount ?? '', asked }) : asked;
}

function said(place: NoticePlace, title: string, lines: string[], path: string): Notice {
  return {
    title: place.mode === 'test' ? say(place.language, 'testMode', { title }) : title,
    lines: [...lines, place.integration],
    path,
  };
}

/** An address of a webhook may hold a secret behind its host. */
function hostOf(url: string | undefined): string {
  return (url === undefined ? null : URL.parse(url))?.host ?? 'it';
}

function dayNotice({ counts }: DayFacts, place: NoticePlace): Notice {
  const { language } = place;
  const happened = counts.filter(({ count }) => count > 0);
  const lines =
    happened.length === 0 ? [say(language, 'nothing')] : happened.map((each) => countLine(each, place));
  return said(place, say(language, 'day'), lines, `i/${place.integrationId}/${place.mode}/overview`);
}

function countLine({ kind, count, totals, references }: DayCount, place: NoticePlace): string {
  const { language } = place;
  const sums = totals.map(({ currency, amount }) => `${amount} ${nameIn(place, currency)}`).join(', ');
  const name = say(language, kind);
  const counted = `${say(language, 'count', { name, count })}${sums && ` (${sums})`}`;
  if (references.length === 0) return counted;
  const [list, more] = [references.join(', '), count - references.length];
  return say(language, 'listed', {
    counted,
    references: more > 0 ? say(language, 'more', { references: list, more }) : list,
  });
}
