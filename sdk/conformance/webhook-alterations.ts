import { reserialised } from './json-writers.ts';
import { hmac, type Secrets, signed, standardSignature, type Webhook } from './sign.ts';

/** What the receiver was given, and what it must say. */
export type Altered = { webhook: Webhook; verdict: string };

type Context = { secrets: Secrets; others: Secrets; id: string };
type Alteration = { name: string; make: (webhook: Webhook, context: Context) => Altered | undefined };

const good = (name: string, make: (webhook: Webhook, context: Context) => Webhook): Alteration => ({
  name,
  make: (webhook, context) => ({ webhook: make(webhook, context), verdict: 'ok' }),
});

const bad = (
  name: string,
  verdict: string,
  make: (webhook: Webhook, context: Context) => Webhook,
): Alteration => ({
  name,
  make: (webhook, context) => ({ webhook: make(webhook, context), verdict }),
});

/** The webhook without some of its members. */
function without(webhook: Webhook, ...names: ('secretKey' | 'endpointSecret')[]): Webhook {
  const { secretKey, endpointSecret, ...rest } = webhook;
  return {
    ...rest,
    ...(!names.includes('secretKey') && secretKey !== undefined && { secretKey }),
    ...(!names.includes('endpointSecret') && endpointSecret !== undefined && { endpointSecret }),
  };
}

function withHeader(webhook: Webhook, name: string, value: string | undefined): Webhook {
  const { [name]: _, ...others } = webhook.headers;
  return { ...webhook, headers: value === undefined ? others : { ...others, [name]: value } };
}

function lowerCased(webhook: Webhook): Webhook {
  const entries = Object.entries(webhook.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...webhook, headers: Object.fromEntries(entries) as Record<string, string> };
}

const sentAt = (webhook: Webhook): number =>
  JSON.parse(webhook.headers['webhook-timestamp'] ?? '0') as number;

/** Signed as it is with another body. */
const resigned = (webhook: Webhook, body: Buffer, { secrets, id }: Context): Webhook => ({
  ...webhook,
  ...signed(body, id, secrets),
});

/** The same with another `webhook-timestamp`, signed with it. */
function stamped(webhook: Webhook, timestamp: string, { secrets, id }: Context): Webhook {
  const signature = standardSignature(secrets.endpointSecret, `${id}.${timestamp}.`, webhook.body);
  return withHeader(withHeader(webhook, 'webhook-timestamp', timestamp), 'webhook-signature', signature);
}

const goodOnes: Alteration[] = [
  good('as it was sent', (webhook) => webhook),
  good('with the secret key alone', (webhook) => without(webhook, 'endpointSecret')),
  good('with the endpoint secret alone', (webhook) => without(webhook, 'secretKey')),
  good('with headers in lower case', lowerCased),
  good('with two secret keys while one is rolled', (webhook, { secrets, others }) => ({
    ...webhook,
    secretKey: [others.secretKey, secrets.secretKey],
  })),
  good('with two endpoint secrets while one is rolled', (webhook, { secrets, others }) => ({
    ...webhook,
    endpointSecret: [secrets.endpointSecret, others.endpointSecret],
  })),
  good('with the signatures of two secrets', (webhook, { others }) => {
    const own = webhook.headers['webhook-signature'] ?? '';
    const other = `v1,${hmac(others.endpointSecret, webhook.body)}`;
    return withHeader(webhook, 'webhook-signature', `${other} ${own}`);
  }),
  good('with signatures that a proxy joined by a comma', (webhook, { others }) => {
    const own = webhook.headers['webhook-signature'] ?? '';
    return withHeader(
      webhook,
      'webhook-signature',
      `v1,${hmac(others.endpointSecret, webhook.body)}, ${own}`,
    );
  }),
  good('with a signature of another version beside it', (webhook) =>
    withHeader(webhook, 'webhook-signature', `v1a,AAAA ${webhook.headers['webhook-signature']}`),
  ),
  good('with a secret that has no padding', (webhook, { secrets }) => ({
    ...webhook,
    endpointSecret: secrets.endpointSecret.replace(/=+$/, ''),
  })),
  good('at the end of the tolerance', (webhook) => ({ ...webhook, now: sentAt(webhook) + 300 })),
  good('ahead by the tolerance', (webhook) => ({ ...webhook, now: sentAt(webhook) - 300 })),
  good('within a larger tolerance', (webhook) => ({
    ...webhook,
    now: sentAt(webhook) + 3000,
    toleranceSeconds: 3600,
  })),
  good('without X-Event-Id', (webhook) => withHeader(webhook, 'X-Event-Id', undefined)),
  good('old, where only the secret key is checked', (webhook) => ({
    ...without(webhook, 'endpointSecret'),
    now: sentAt(webhook) + 90_000,
  })),
  good('of a type and with a field of a later gateway', (webhook, context) => {
    const event = {
      ...(JSON.parse(`${webhook.body}`) as object),
      event_type: 'payment_dreamt',
      extra: { a: [1, null] },
    };
    return resigned(webhook, Buffer.from(JSON.stringify(event)), context);
  }),
  good('with a byte order mark that was signed', (webhook, context) =>
    resigned(webhook, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), webhook.body]), context),
  ),
  good('with a byte that is no UTF-8 and was signed', (webhook, context) =>
    resigned(
      webhook,
      Buffer.concat([webhook.body.subarray(0, -1), Buffer.from(',"x":"\xff"}', 'latin1')]),
      context,
    ),
  ),
  good('with white space that was signed', (webhook, context) =>
    resigned(webhook, Buffer.from(JSON.stringify(JSON.parse(`${webhook.body}`), null, 2)), context),
  ),
];

const wrongSignatures: Alteration[] = [
  bad('with one byte changed', 'wrong_signature', (webhook) => {
    const body = Buffer.from(webhook.body);
    body[body.length - 3] = (body[body.length - 3] ?? 0) ^ 1;
    return { ...webhook, body };
  }),
  bad('with another secret key', 'wrong_signature', (webhook, { others }) => ({
    ...without(webhook, 'endpointSecret'),
    secretKey: others.secretKey,
  })),
  bad('with another endpoint secret', 'wrong_signature', (webhook, { others }) => ({
    ...webhook,
    endpointSecret: others.endpointSecret,
  })),
  bad('of another integration', 'wrong_signature', (webhook, { others }) => ({ ...webhook, ...others })),
  bad('with another time than was signed', 'wrong_signature', (webhook) =>
    withHeader(webhook, 'webhook-timestamp', `${sentAt(webhook) + 1}`),
  ),
  bad('with another id than was signed', 'wrong_signature', (webhook) =>
    withHeader(webhook, 'webhook-id', 'another'),
  ),
  bad('with the signature in hexadecimal', 'wrong_signature', (webhook) => {
    const hex = Buffer.from(webhook.headers['X-Signature'] ?? '', 'base64').toString('hex');
    return withHeader(without(webhook, 'endpointSecret'), 'X-Signature', hex);
  }),
  bad('with the signature in base64url', 'wrong_signature', (webhook) => {
    const url = Buffer.from(webhook.headers['X-Signature'] ?? '', 'base64').toString('base64url');
    return withHeader(without(webhook, 'endpointSecret'), 'X-Signature', url);
  }),
  bad('with a signature of another version alone', 'wrong_signature', (webhook) => {
    const own = webhook.headers['webhook-signature'] ?? '';
    return withHeader(webhook, 'webhook-signature', own.replace('v1,', 'v2,'));
  }),
  bad('with a signature that something stands before', 'wrong_signature', (webhook) =>
    withHeader(webhook, 'webhook-signature', `x${webhook.headers['webhook-signature']}`),
  ),
  bad('with half of a signature', 'wrong_signature', (webhook) =>
    withHeader(webhook, 'X-Signature', webhook.headers['X-Signature']?.slice(0, 22)),
  ),
  bad('with a line break behind the body', 'wrong_signature', (webhook) => ({
    ...webhook,
    body: Buffer.concat([webhook.body, Buffer.from('x')]),
  })),
];

const missing: Alteration[] = ['X-Signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'].flatMap(
  (name) => [
    bad(`without ${name}`, 'missing_header', (webhook) => withHeader(webhook, name, undefined)),
    bad(`with an empty ${name}`, 'missing_header', (webhook) => withHeader(webhook, name, '')),
  ],
);

const times: Alteration[] = [
  bad('one second too old', 'too_old', (webhook) => ({ ...webhook, now: sentAt(webhook) + 301 })),
  bad('one second too new', 'too_new', (webhook) => ({ ...webhook, now: sentAt(webhook) - 301 })),
  bad('a day old', 'too_old', (webhook) => ({ ...webhook, now: sentAt(webhook) + 86_400 })),
  bad('outside of a smaller tolerance', 'too_old', (webhook) => ({
    ...webhook,
    now: sentAt(webhook) + 11,
    toleranceSeconds: 10,
  })),
  bad('with a time that is no number', 'too_old', (webhook, context) =>
    stamped(webhook, 'yesterday', context),
  ),
  good('with something behind the time', (webhook, context) =>
    stamped(webhook, `${sentAt(webhook)}.5`, context),
  ),
];

const secretFaults: Alteration[] = [
  bad('without secrets', 'no_secret', (webhook) => without(webhook, 'secretKey', 'endpointSecret')),
  ...(
    [
      ['an empty secret key', { secretKey: '' }],
      ['a secret key that is not set', { secretKey: null }],
      ['an endpoint secret that is not set', { endpointSecret: null }],
      ['an empty list of secret keys', { secretKey: [] }],
      ['an endpoint secret that is no base64', { endpointSecret: 'whsec_not base64!' }],
      ['an endpoint secret in base64url', { endpointSecret: 'whsec_ab-_' }],
      ['an endpoint secret with wrong padding', { endpointSecret: 'whsec_abc==' }],
      ['nothing behind whsec_', { endpointSecret: 'whsec_' }],
      ['a word as the secret key', { secretKey: 'secret' }],
    ] as [string, Partial<Webhook>][]
  ).map(([name, given]) => bad(`with ${name}`, 'bad_secret', (webhook) => ({ ...webhook, ...given }))),
  bad('with the secrets swapped', 'bad_secret', (webhook, { secrets }) => ({
    ...webhook,
    secretKey: secrets.endpointSecret,
    endpointSecret: secrets.secretKey,
  })),
  bad('with quotes around the secret key', 'bad_secret', (webhook, { secrets }) => ({
    ...webhook,
    secretKey: `"${secrets.secretKey}"`,
  })),
  bad('with a line break behind the endpoint secret', 'bad_secret', (webhook, { secrets }) => ({
    ...webhook,
    endpointSecret: `${secrets.endpointSecret}\n`,
  })),
];

const bodies: Alteration[] = [
  bad('with an empty body', 'body_missing', (webhook) => ({ ...webhook, body: Buffer.alloc(0) })),
  bad('with a body that is still base64', 'body_decoded', (webhook) => ({
    ...webhook,
    body: Buffer.from(webhook.body.toString('base64')),
  })),
  {
    name: 'with a body that was read as Latin-1',
    make: (webhook) => {
      const body = Buffer.from(webhook.body.toString('latin1'));
      return body.equals(webhook.body)
        ? undefined
        : { webhook: { ...webhook, body }, verdict: 'body_decoded' };
    },
  },
  ...reserialised.map(
    ({ name, write }): Alteration => ({
      name: `with a body that ${name} wrote anew`,
      make: (webhook) => {
        const body = Buffer.from(write(JSON.parse(`${webhook.body}`) as Record<string, unknown>));
        return body.equals(webhook.body)
          ? undefined
          : { webhook: { ...webhook, body }, verdict: 'body_parsed' };
      },
    }),
  ),
];

const nonsense: Alteration[] = [
  ...[
    '{"event_type":"payment_completed"}',
    '{"event_id":1,"event_type":"x"}',
    '[]',
    'null',
    '"text"',
    '{"event_id":',
    'NaN',
  ].map((text) =>
    bad(`with ${text}, rightly signed`, 'not_an_event', (webhook, context) =>
      resigned(webhook, Buffer.from(text), context),
    ),
  ),
  bad('with another X-Event-Id', 'event_id_mismatch', (webhook) =>
    withHeader(webhook, 'X-Event-Id', 'another'),
  ),
  bad('with an empty X-Event-Id', 'event_id_mismatch', (webhook) => withHeader(webhook, 'X-Event-Id', '')),
];

/** What happens to webhooks on their way to an SDK. */
export const alterations: readonly Alteration[] = [
  ...goodOnes,
  ...wrongSignatures,
  ...missing,
  ...times,
  ...bodies,
  ...secretFaults,
  ...bodies,
  ...nonsense,
  ...bodies,
];
