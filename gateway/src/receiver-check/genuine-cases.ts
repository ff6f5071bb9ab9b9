import { firstEvent } from './belief-cases.ts';
import { type Case, completed, withHeaders } from './case.ts';
import { type EventDraft, type Literals, type Message, madeUpSignature, writeBody } from './message.ts';

// Deliveries that are genuine, and unlike the first one. What stands in one list is sent one after the other.

const taken = { expect: 'taken' } as const;

const twice = completed('TWICE');

export const repeated: Case = {
  ...taken,
  name: 'repeated',
  title: 'The same event again',
  why: '200, and nothing else happens: it was handled before',
  event: firstEvent,
};

export const repeatedAfterBoth: Case = {
  ...taken,
  name: 'repeated_after_both',
  title: 'The same event a third time',
  why: '200, and nothing else happens',
  event: twice,
};

/** The same event more than once. */
export const repeatCases: readonly Case[] = [
  repeated,
  {
    ...taken,
    name: 'twice_at_once',
    title: 'One event twice at the same moment',
    why: '200 for both: one is handled, the other finds that it was, or 409 while it is in use',
    alsoRight: 409,
    event: twice,
    times: 2,
  },
  repeatedAfterBoth,
  {
    expect: 'withstood',
    name: 'other_event_id',
    title: 'The same event under another X-Event-Id',
    why: '400, or 200 and nothing else happens: the id that is signed is the one in the body',
    event: firstEvent,
    change: (message) => withHeaders(message, { 'X-Event-Id': '00000000-0000-7000-8000-000000000000' }),
  },
];

const why = '200: a late or early event is no fault';

/** Events of one payment in another order than they happened in. */
export const orderCases: readonly (readonly Case[])[] = [
  [
    {
      ...taken,
      name: 'completed_first',
      title: 'payment_completed before its payment_pending',
      why,
      event: completed('REORDERED', { sequence: 3 }),
    },
    {
      ...taken,
      name: 'pending_afterwards',
      title: 'payment_pending after its payment_completed',
      why,
      event: { ...ofPayment('REORDERED', 'payment_pending', 'pending'), sequence: 2 },
    },
  ],
  [
    {
      ...taken,
      name: 'abandoned',
      title: 'payment_abandoned',
      why: '200: the order stays open',
      event: ofPayment('LATE', 'payment_abandoned', 'cancelled'),
    },
    {
      ...taken,
      name: 'completed_late',
      title: 'payment_completed after payment_abandoned',
      why: '200: late money completes a payment that was abandoned',
      event: completed('LATE', { sequence: 2 }),
    },
    {
      ...taken,
      name: 'abandoned_again',
      title: 'The older payment_abandoned once more',
      why: '200: what is older than the newest X-Sequence changes nothing',
      event: ofPayment('LATE', 'payment_abandoned', 'cancelled'),
    },
  ],
];

export const failedCase: Case = {
  ...taken,
  name: 'failed',
  title: 'payment_failed',
  why: '200: the customer is shown an error',
  event: ofPayment('FAILED', 'payment_failed', 'failed'),
};

export const unknownEvent: Case = {
  ...taken,
  name: 'unknown_event',
  title: 'An event type that does not exist yet',
  why: '200: otherwise each new type is sent eleven times, and the endpoint disabled in the end',
  event: ofPayment('UNKNOWN_EVENT', 'payment_something_new', 'completed'),
};

/** Bodies that are spelled otherwise than JSON libraries spell them. */
export const rawCases: readonly Case[] = [
  spelled('spaced', 'A body with spaces and line breaks', (literals) =>
    writeBody(literals).replaceAll('":', '" : ').replaceAll(',"', ' ,\n  "'),
  ),
  spelled('escaped', 'A body with characters written as escapes', (literals) =>
    writeBody({ ...literals, customer_reference: '"\\u0063ustomer\\/1"' }),
  ),
  spelled('number_spelling', 'An amount written 2.550e1', (literals) =>
    writeBody({ ...literals, amount: '2.550e1' }),
  ),
];

/** Values at the edges of what a payment may have. */
export const valueCases: readonly Case[] = [
  valued('tiny_fee', 'An amount of 1.0000001, and a fee written 1e-7', {
    amount: '1.0000001',
    service_fee: '1e-7',
  }),
  valued('huge_amount', 'An amount of 123456789012.345', { amount: '123456789012.345' }),
  valued('whole_amount', 'An amount without decimals: 5', { amount: '5', service_fee: '0' }),
  valued('empty_fields', 'Empty optional fields', { customer_email: '""', customer_reference: '""' }),
  valued('odd_text', 'Emoji, Arabic, quotes and line breaks in customer_reference', {
    customer_reference: JSON.stringify('Zoë 🧾 "؈ عميل" \\ \'; <b>&amp;\r\n\t\u0001\u2028 end'),
  }),
  valued('long_text', 'The longest customer_reference and customer_email', {
    customer_reference: JSON.stringify('長'.repeat(255)),
    customer_email: JSON.stringify(`${'a'.repeat(64)}@${'example.'.repeat(23)}com`),
  }),
  valued('new_field', 'A field that does not exist yet', { something_new: '{"a":[1,2,3]}' }),
  valued('large_body', 'A body of 16 KiB', { something_new: JSON.stringify('x'.repeat(16 * 1024)) }),
];

/** What a receiver meets while its endpoint's secret is being rolled. */
export const rotationCases: readonly Case[] = [
  rotation('right_signature_first', 'Two signatures, the first one right', (right, other) => [right, other]),
  rotation('right_signature_last', 'Two signatures, the last one right', (right, other) => [other, right]),
];

export const slowCase: Case = {
  ...taken,
  name: 'in_pieces',
  title: 'A body that comes in pieces',
  why: '200: a slow network brings a body bit by bit',
  event: completed('IN_PIECES'),
  pieces: 3,
};

export const crowdCase: Case = {
  ...taken,
  name: 'ten_at_once',
  title: 'Ten payments at the same moment',
  why: '200 for each within 5 s',
  event: completed('CROWD'),
  times: 10,
  apart: true,
};

function ofPayment(payment: string, type: string, status: string): EventDraft {
  return { key: `${payment} ${type}`, payment, type, status };
}

function spelled(name: string, title: string, write: (literals: Literals) => string): Case {
  const event = completed(name.toUpperCase(), { write });
  return { ...taken, name, title, why: '200: the signature is over these bytes', event };
}

function valued(name: string, title: string, literals: Literals): Case {
  const event = completed(name.toUpperCase(), { literals });
  return { ...taken, name, title, why: '200: payments may have such values', event };
}

function rotation(
  name: string,
  title: string,
  order: (right: string, other: string) => readonly string[],
): Case {
  const change = (message: Message): Message => {
    const right = message.headers['webhook-signature']!;
    return withHeaders(message, {
      'webhook-signature': order(right, `v1,${madeUpSignature()}`).join(' '),
    });
  };
  const event = completed(name.toUpperCase());
  const reason = '200: one of the signatures is by the secret that the receiver holds';
  return { ...taken, name, title, why: reason, event, needs: 'endpointSecret', change };
}
