import type { NoticeChannel } from '../webhooks/endpoints/notice-endpoints.ts';
import { type EventType, firstPayment } from '../webhooks/events/event-types.ts';

/** What a person may be told of (contract.md#notices), in the order of the page. */
export const kinds = [
  'paid',
  'failed',
  'in_appeal',
  'refunded',
  'payout_done',
  'endpoint_down',
  firstPayment,
  'daily_summary',
  'quiet_summary',
] as const;

export type Kind = (typeof kinds)[number];
/** A kind of which a day says how many there were. */
export type CountedKind = Exclude<Kind, typeof firstPayment | 'daily_summary' | 'quiet_summary'>;

/** By what, in the order of the page. */
export const channels = ['mail', 'day', 'telegram', 'push'] as const satisfies readonly NoticeChannel[];

/** The events that a kind tells of; none: it is no single event. */
export const typesOf: Readonly<Record<Kind, readonly EventType[]>> = {
  paid: ['payment_completed'],
  failed: ['payment_failed'],
  in_appeal: ['payment_in_appeal'],
  refunded: ['payment_refunded'],
  payout_done: ['payout_completed', 'payout_failed'],
  endpoint_down: ['webhook_endpoint_disabled'],
  first_payment: [],
  daily_summary: [],
  quiet_summary: [],
};

/** The kinds that a day counts, in the order in which it tells of them. */
export const countedKinds = kinds.filter((kind): kind is CountedKind => typesOf[kind].length > 0);

export const countedTypes: readonly EventType[] = countedKinds.flatMap((kind) => typesOf[kind]);

const summaries: readonly Kind[] = ['daily_summary', 'quiet_summary'];

/** What can be told by a channel: the first payment of a day only at once, and a summary not by mails at once. */
export function kindsOf(channel: NoticeChannel): readonly Kind[] {
  if (channel === 'mail') return kinds.filter((kind) => !summaries.includes(kind));
  return channel === 'day' ? kinds.filter((kind) => kind !== firstPayment) : kinds;
}

/** Whether an endpoint with these kinds tells of the day. */
export function isOfDay(channel: NoticeChannel, chosen: readonly Kind[]): boolean {
  return chosen.length > 0 && (channel === 'day' || chosen.some((kind) => summaries.includes(kind)));
}

/** What an endpoint has among its events: the types of its kinds, and the kinds without types by their own names. */
export function eventsOf(chosen: readonly Kind[]): string[] {
  return chosen.flatMap((kind): readonly string[] => (typesOf[kind].length > 0 ? typesOf[kind] : [kind]));
}
