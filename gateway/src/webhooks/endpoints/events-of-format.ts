import { invalid } from '../../kit/http/fields.ts';
import { eventTypes, invoiceEventTypes, type SentType } from '../events/event-types.ts';
import type { Endpoint } from './endpoints.ts';

/** Refuses events that an endpoint of this format is never sent: `field_invalid`. */
export function assertOfFormat({ format }: Pick<Endpoint, 'format'>, events: readonly SentType[]): void {
  const own: readonly SentType[] = format === 'florin' ? eventTypes : invoiceEventTypes;
  const other = events.find((type) => !own.includes(type));
  if (other !== undefined)
    throw invalid('events', `${other} is not sent to an endpoint of the format ${format}`);
}

/** Refuses what only endpoints of Florin's own format have: `field_invalid`. */
export function assertFlorins({ format }: Pick<Endpoint, 'format'>, field: string): void {
  if (format !== 'florin') throw invalid(field, 'this endpoint gets the webhooks of the BTCPay door');
}
