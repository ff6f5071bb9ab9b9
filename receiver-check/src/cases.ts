import { type Case, refused, survived, taken } from './case.ts';
import { type Literals, randomSignature, writeBody } from './delivery.ts';

// Every delivery that a receiver is tested with. The cases of one list are sent one after the other.

export const valid = taken('valid', 'A valid payment_completed', '200: it is genuine', { payment: 'ONCE' });

/** A second try, for a receiver that had to start first. */
export const validAgain: Case = {
  ...valid,
  name: 'valid_again',
  title: 'The same once more, because the first got no answer in time',
};

const wrongPlain = () => ({ 'X-Signature': randomSignature() });
const wrongStandard = () => ({ 'webhook-signature': `v1,${randomSignature()}` });

// The meaning of all other answers depends on these.
export const forged = refused('forged', 'Both signatures made up', '400: anybody could have sent it', {
  headers: () => ({ ...wrongPlain(), ...wrongStandard() }),
});
export const wrongX = survived(
  'wrong_x_signature',
  'X-Signature made up, webhook-signature right',
  '400, or 200 where only webhook-signature is checked',
  { needs: 'endpointSecrets', headers: wrongPlain },
);
export const wrongWebhook = survived(
  'wrong_webhook_signature',
  'webhook-signature made up, X-Signature right',
  '400, or 200 where only X-Signature is checked',
  { needs: 'secretKey', headers: wrongStandard },
);
export const halfForged: readonly Case[] = [wrongX, wrongWebhook];

/** Further forgeries, which no receiver may take. */
export const forgeries: readonly Case[] = [
  refused('changed_body', 'The amount changed after signing', '400: the signatures belong to another body', {
    tamper: (body) => body.replace('"amount":25.5', '"amount":95.5'),
  }),
  refused('unsigned', 'No signature at all', '400: without a signature it proves nothing', {
    headers: () =>
      Object.fromEntries(
        ['X-Signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
          name,
          undefined,
        ]),
      ),
  }),
  refused(
    'short_signature',
    'Signatures that are too short',
    '400: a comparison in constant time fails on different lengths, unless they are compared first',
    { headers: () => ({ 'X-Signature': 'AAAA', 'webhook-signature': 'v1,AAAA' }) },
  ),
  refused('garbled_signature', 'Signatures that are not base64', '400: they are not the right ones', {
    headers: () => ({ 'X-Signature': '%%%;=', 'webhook-signature': 'v9 ,, v1' }),
  }),
];

/** Genuine deliveries whose timestamp is too far from now. */
export const replays: readonly Case[] = [
  refused('stale', 'Sent ten minutes ago', '400: somebody may have recorded it and now sends it again', {
    needs: 'endpointSecrets',
    shiftSeconds: -600,
  }),
  refused('from_the_future', 'Sent ten minutes from now', '400: it would stay valid for too long', {
    needs: 'endpointSecrets',
    shiftSeconds: 600,
  }),
];

const unharmed = '200: a delivery that was refused changes nothing for the next one';
export const afterForgeries = taken('after_forgeries', 'A valid one after the forged ones', unharmed);

const nothingElse = '200, and nothing else happens: it was handled before';
export const repeated = taken('repeated', 'The same event again', nothingElse, { payment: 'ONCE' });
export const repeatedAfterBoth = taken('repeated_after_both', 'The same event a third time', nothingElse, {
  payment: 'TWICE',
});

/** The same event more than once. */
export const repeats: readonly Case[] = [
  repeated,
  taken(
    'twice_at_once',
    'One event twice at the same moment',
    '200 for both: one is handled, the other is recognised as a repeat, or gets 409 while the first is handled',
    { payment: 'TWICE', alsoRight: 409, times: 2 },
  ),
  repeatedAfterBoth,
  survived(
    'other_event_id',
    'The same event under another X-Event-Id',
    '400, or 200 and nothing else happens: the id in the body is the one that is signed',
    { payment: 'ONCE', headers: () => ({ 'X-Event-Id': '00000000-0000-7000-8000-000000000000' }) },
  ),
];

const anyOrder = '200: an event that comes late or early is not an error';
const reordered = { payment: 'REORDERED' };
const pending = { type: 'payment_pending', status: 'pending' };
const late = { payment: 'LATE' };
const abandoned = { ...late, type: 'payment_abandoned', status: 'cancelled' };

/** Events of one payment in another order than they happened in. */
const orderLists: readonly (readonly Case[])[] = [
  [
    taken('completed_first', 'payment_completed before its payment_pending', anyOrder, {
      ...reordered,
      sequence: 3,
    }),
    taken('pending_afterwards', 'payment_pending after its payment_completed', anyOrder, {
      ...reordered,
      ...pending,
      sequence: 2,
    }),
  ],
  [
    taken('abandoned', 'payment_abandoned', '200: the order stays open', abandoned),
    taken(
      'completed_late',
      'payment_completed after payment_abandoned',
      '200: a late transfer completes a payment that was abandoned',
      { ...late, sequence: 2 },
    ),
    taken(
      'abandoned_again',
      'The older payment_abandoned once more',
      '200: an event that is older than the newest X-Sequence changes nothing',
      abandoned,
    ),
  ],
];
export const anyOrders: readonly Case[] = orderLists.flat();

export const failed = taken('failed', 'payment_failed', '200: the customer is shown an error', {
  type: 'payment_failed',
  status: 'failed',
});

export const unknownEvent = taken(
  'unknown_event',
  'An event type that does not exist yet',
  '200: otherwise each new type is sent eleven times, and in the end the endpoint is disabled',
  { type: 'payment_something_new' },
);

const written = (name: string, title: string, write: (literals: Literals) => string): Case =>
  taken(name, title, '200: the signature is over exactly these bytes', { write });
const withFields = (fields: Literals) => (literals: Literals) => writeBody({ ...literals, ...fields });

/** Bodies that are written in another way than JSON libraries write them. */
export const spellings: readonly Case[] = [
  written('spaced', 'A body with spaces and line breaks', (literals) =>
    writeBody(literals).replaceAll('":', '" : ').replaceAll(',"', ' ,\n  "'),
  ),
  written(
    'escaped',
    'A body with characters written as escapes',
    withFields({ customer_reference: '"\\u0063ustomer\\/1"' }),
  ),
  written('number_spelling', 'An amount written 2.550e1', withFields({ amount: '2.550e1' })),
];

const valued = (name: string, title: string, fields: Literals): Case =>
  taken(name, title, '200: payments may have such values', { write: withFields(fields) });

/** Extreme values that a payment may have. */
export const values: readonly Case[] = [
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

const rotated = (name: string, title: string, order: (right: string, other: string) => string[]): Case =>
  taken(name, title, '200: one of the signatures is by the secret that the receiver holds', {
    needs: 'endpointSecrets',
    headers: ({ headers }) => {
      const right = headers['webhook-signature'] ?? '';
      return { 'webhook-signature': order(right, `v1,${randomSignature()}`).join(' ') };
    },
  });

/** Two signatures, as while the endpoint's secret is rolled. */
export const rotations: readonly Case[] = [
  rotated('right_signature_first', 'Two signatures, the first one right', (right, other) => [right, other]),
  rotated('right_signature_last', 'Two signatures, the last one right', (right, other) => [other, right]),
];

const partly = '200: a slow network delivers a body in parts';
export const inPieces = taken('in_pieces', 'A body that comes in pieces', partly, { pieces: 3 });

export const crowd = taken('ten_at_once', 'Ten payments at the same moment', '200 for each within 5 s', {
  times: 10,
  apart: true,
});

const nonsensical = (name: string, title: string, body: string, why: string): Case =>
  survived(name, `${title}, correctly signed`, why, { write: () => body });
const notEvent = '400: it is JSON, but not an event';

/** Requests that are not webhooks. Those with a body are signed, so that the receiver parses it. */
export const nonsense: readonly Case[] = [
  nonsensical('not_json', 'A body that is not JSON', '{"event_id": "', '400: it is not an event'),
  nonsensical('null_body', 'A body that is `null`', 'null', notEvent),
  nonsensical('list_body', 'A body that is a list', '[1, 2]', notEvent),
  nonsensical('no_body', 'An empty body', '', '400: there is no event in it'),
  survived('get', 'A GET instead of a POST', '404, 405 or 501, or a page: browsers and crawlers send it', {
    alsoRight: 501,
    method: 'GET',
  }),
];

export const afterNonsense = taken('after_nonsense', 'A valid one at the end', unharmed);

export const genuineLists: readonly (readonly Case[])[] = [
  repeats,
  ...orderLists,
  ...[inPieces, failed, unknownEvent, ...spellings, ...values, ...rotations].map((one) => [one]),
];

/** All that is sent when both secrets are known and nothing ends the check early. */
export const all: readonly Case[] = [
  valid,
  forged,
  ...halfForged,
  ...forgeries,
  ...replays,
  afterForgeries,
  ...genuineLists.flat(),
  crowd,
  ...nonsense,
  afterNonsense,
];
