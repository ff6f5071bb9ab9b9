import { type Case, completed, withHeaders } from './case.ts';
import { type EventDraft, type Message, madeUpSignature } from './message.ts';

// Whom the receiver believes. These come first: what the other answers mean depends on them.

export const firstEvent = completed('ONCE');

const wrongPlain = (message: Message): Message => withHeaders(message, { 'X-Signature': madeUpSignature() });
const wrongStandard = (message: Message): Message =>
  withHeaders(message, { 'webhook-signature': `v1,${madeUpSignature()}` });

export const valid: Case = {
  name: 'valid',
  title: 'A valid payment_completed',
  expect: 'taken',
  why: '200: it is genuine',
  event: firstEvent,
};

/** A receiver that was asleep gets a second chance. */
export const validAgain: Case = {
  ...valid,
  name: 'valid_again',
  title: 'The same once more, as the first got no answer in time',
};

export const forged: Case = {
  name: 'forged',
  title: 'Both signatures made up',
  expect: 'refused',
  why: '400: anybody could have sent it',
  event: completed('FORGED'),
  change: (message) => wrongStandard(wrongPlain(message)),
};

export const wrongX: Case = {
  name: 'wrong_x_signature',
  title: 'X-Signature made up, webhook-signature right',
  expect: 'withstood',
  why: '400, or 200 where webhook-signature alone is checked',
  event: completed('FORGED_X'),
  needs: 'endpointSecret',
  change: wrongPlain,
};

export const wrongWebhook: Case = {
  name: 'wrong_webhook_signature',
  title: 'webhook-signature made up, X-Signature right',
  expect: 'withstood',
  why: '400, or 200 where X-Signature alone is checked',
  event: completed('FORGED_WEBHOOK'),
  needs: 'secretKey',
  change: wrongStandard,
};

export const beliefCases: readonly Case[] = [forged, wrongX, wrongWebhook];

const refused = { expect: 'refused' } as const;

/** What must not be believed, in every way that it comes in. */
export const forgeryCases: readonly Case[] = [
  {
    ...refused,
    name: 'changed_body',
    title: 'The amount changed after signing',
    why: '400: the signatures are those of another body',
    event: completed('CHANGED'),
    change: (message) => ({
      ...message,
      body: Buffer.from(message.body.toString().replace('"amount":25.5', '"amount":95.5')),
    }),
  },
  {
    ...refused,
    name: 'unsigned',
    title: 'No signature at all',
    why: '400: what is not signed proves nothing',
    event: completed('UNSIGNED'),
    change: (message) => ({ ...message, headers: unsigned(message.headers) }),
  },
  {
    ...refused,
    name: 'short_signature',
    title: 'Signatures that are too short',
    why: '400: a comparison in constant time fails on lengths that differ, unless they are compared first',
    event: completed('SHORT'),
    change: (message) => withHeaders(message, { 'X-Signature': 'AAAA', 'webhook-signature': 'v1,AAAA' }),
  },
  {
    ...refused,
    name: 'garbled_signature',
    title: 'Signatures that are no base64',
    why: '400: whatever stands there, it is not the right one',
    event: completed('GARBLED'),
    change: (message) => withHeaders(message, { 'X-Signature': '%%%;=', 'webhook-signature': 'v9 ,, v1' }),
  },
];

/** Genuine, and sent at another time than now. */
export const replayCases: readonly Case[] = [
  {
    ...refused,
    name: 'stale',
    title: 'Sent ten minutes ago',
    why: '400: somebody may have recorded it, to send it again',
    event: completed('STALE'),
    needs: 'endpointSecret',
    shiftSeconds: -600,
  },
  {
    ...refused,
    name: 'from_the_future',
    title: 'Sent ten minutes from now',
    why: '400: it would stay good for too long',
    event: completed('AHEAD'),
    needs: 'endpointSecret',
    shiftSeconds: 600,
  },
];

export const afterForgeries: Case = {
  name: 'after_forgeries',
  title: 'A valid one after the forged ones',
  expect: 'taken',
  why: '200: what was refused leaves nothing behind',
  event: completed('AFTER_FORGERIES'),
};

/** What no gateway sends, and the internet does. Signed where that is possible, so that it gets far. */
export const nonsenseCases: readonly Case[] = [
  nonsense('not_json', 'A body that is no JSON, rightly signed', '{"event_id": "', '400: it is no event'),
  nonsense('null_body', 'A body that is `null`, rightly signed', 'null', '400: it is JSON, and no event'),
  nonsense('list_body', 'A body that is a list, rightly signed', '[1, 2]', '400: it is JSON, and no event'),
  nonsense('no_body', 'An empty body, rightly signed', '', '400: there is no event in it'),
  {
    name: 'get',
    title: 'A GET in place of a POST',
    expect: 'withstood',
    why: '404, 405 or 501, or a page: browsers and crawlers ask so',
    alsoRight: 501,
    event: completed('GET'),
    change: (message) => ({ ...message, method: 'GET', headers: { Connection: 'close' } }),
  },
];

export const afterNonsense: Case = {
  ...afterForgeries,
  name: 'after_nonsense',
  title: 'A valid one at the end',
  event: completed('LAST'),
};

function nonsense(name: string, title: string, body: string, why: string): Case {
  const event: EventDraft = completed(name.toUpperCase(), { write: () => body });
  return { name, title, expect: 'withstood', why, event };
}

const signatureHeaders = ['X-Signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

function unsigned(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !signatureHeaders.includes(name)));
}
