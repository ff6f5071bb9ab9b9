import type { StoredEvent } from '@florin/sdk';
import { eventTypes } from '../merchant/words.ts';
import { localTime, plain, type Tone, tinted, toneOf } from '../output/text.ts';
import type { Outcome } from './send.ts';

/** For programs: the event as in the API, and the result of forwarding it. */
export function jsonLine(event: StoredEvent, forwarded: Outcome | null): string {
  return `${JSON.stringify({ ...event, forwarded })}\n`;
}

const typeWidth = Math.max(...eventTypes.map((type) => type.length));
const statusWidth = 'completed'.length;

/** For people: time, type, payment or payout, status and amount (or the endpoint that it is about), and the local server's answer. */
export function textLine(event: StoredEvent, forwarded: Outcome | null): string {
  const { payment_status, payout_status, amount, currency, asset, url = '' } = fieldsOf(event.body);
  const status = payment_status ?? payout_status ?? '';
  const parts = [
    tinted(localTime(event.created_at), 'faint'),
    event.event_type.padEnd(typeWidth),
    plain(event.payment_reference || event.payout_reference),
    tinted(plain(status).padEnd(statusWidth), toneOf(status)),
    amount === undefined ? plain(url) : plain(`${amount} ${currency ?? asset}`),
    forwarded ? tinted(outcomeText(forwarded), toneOfOutcome(forwarded)) : '',
  ];
  return `${parts.filter((part) => part !== '').join('  ')}\n`;
}

type Fields = {
  payment_status?: string;
  payout_status?: string;
  /** A number for a payment, a text for a payout. */
  amount?: number | string;
  currency?: string;
  asset?: string;
  url?: string;
};

function fieldsOf(body: string): Fields {
  return JSON.parse(body) as object;
}

/** How long the gateway waits for an answer (contract.md#webhooks). */
const gatewayTimeoutMs = 5_000;

function outcomeText({ status_code, duration_ms, error }: Outcome): string {
  if (status_code === null) return `not forwarded: ${error}`;
  const answer = `${status_code} in ${duration_ms} ms`;
  return duration_ms > gatewayTimeoutMs
    ? `${answer}: too late, a webhook must be answered within 5 s`
    : answer;
}

function toneOfOutcome({ status_code, duration_ms }: Outcome): Tone {
  if (status_code === null || status_code < 200 || status_code > 299) return 'bad';
  return duration_ms > gatewayTimeoutMs ? 'waiting' : 'good';
}
