import { type InvoiceEventType, invoiceEventTypes } from '../../webhooks/events/event-types.ts';
import { unprocessable } from '../protocol/problems.ts';

/** A webhook as a shop asks for it; `secret` null: a new one, or the one that it has. */
export type WantedHook = {
  url: string;
  events: readonly InvoiceEventType[];
  isEnabled: boolean;
  retries: boolean;
  secret: string | null;
};

const maxSecret = 255;
const maxUrl = 2048;

/** Events of that API about what Florin has no meaning for: taken, and never sent. */
const unsent = /^(?:Payout|PaymentRequest|Subscriber)\w*$/;

/** Reads the body of a webhook; throws 422. */
export function readHook(body: Record<string, unknown>): WantedHook {
  const { url, secret } = body;
  if (typeof url !== 'string' || url === '' || url.length > maxUrl)
    throw unprocessable('url', `Must be an address of at most ${maxUrl} characters`);
  if (secret !== undefined && secret !== null && !isSecret(secret))
    throw unprocessable('secret', `Must be text of 1 to ${maxSecret} characters`);
  return {
    url,
    events: eventsOf(body.authorizedEvents),
    isEnabled: flagOf(body, 'enabled'),
    retries: flagOf(body, 'automaticRedelivery'),
    secret: secret ?? null,
  };
}

const isSecret = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= maxSecret && value.isWellFormed();

function flagOf(body: Record<string, unknown>, name: string): boolean {
  const value = body[name] ?? true;
  if (typeof value !== 'boolean') throw unprocessable(name, 'Must be true or false');
  return value;
}

/** The events that are wanted; all where nothing is said. */
function eventsOf(value: unknown): readonly InvoiceEventType[] {
  const { everything, specificEvents } = (value ?? {}) as { everything?: unknown; specificEvents?: unknown };
  const isList = Array.isArray(specificEvents) && specificEvents.length > 0;
  if (everything === true || !isList) return invoiceEventTypes;
  const wanted = new Set<InvoiceEventType>();
  for (const name of specificEvents) {
    const type = invoiceEventTypes.find((each) => each === name);
    if (type) wanted.add(type);
    else if (typeof name !== 'string' || !unsent.test(name))
      throw unprocessable('authorizedEvents.specificEvents', `${String(name)} is not an event`);
  }
  if (wanted.size === 0) throw unprocessable('authorizedEvents.specificEvents', 'None of these is ever sent');
  return [...wanted];
}
