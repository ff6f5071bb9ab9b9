import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import {
  careful,
  check,
  checksPlain,
  checksStandard,
  type Event,
  endpointKey,
  endpointSecret,
  equal,
  type Handler,
  isFresh,
  listen,
  ok,
  parse,
  plainSignature,
  type Request,
  refused,
  ruleOf,
  signing,
  standardSignature,
  startReceiver,
} from '../test/fixtures.ts';

/** A receiver with both signatures checked, one of them by a mistaken rule of its own. */
function mistaken(rule: { plain?: (request: Request) => boolean; standard?: (request: Request) => boolean }) {
  const { plain = (request) => checksPlain(request), standard = (request) => checksStandard(request) } = rule;
  const handler: Handler = (request) =>
    plain(request) && standard(request) && isFresh(request) && parse(request.raw) ? ok : refused;
  return startReceiver(handler);
}

/** Both signatures verified over what `write` makes of the parsed body. */
function parsedFirst(write: (event: Event | null) => string): Parameters<typeof mistaken>[0] {
  const again = (request: Request): Request => ({ ...request, raw: Buffer.from(write(parse(request.raw))) });
  return {
    plain: (request) => checksPlain(again(request)),
    standard: (request) => checksStandard(again(request)),
  };
}

const given = ({ headers }: Request) => headers['x-signature'];

test.each<[string, Parameters<typeof mistaken>[0], string]>([
  [
    'hexadecimal',
    {
      plain: (request) =>
        equal(createHmac('sha256', signing.secretKey).update(request.raw).digest('hex'), given(request)),
    },
    'X-Signature in hexadecimal',
  ],
  [
    'a body written out with spaces',
    parsedFirst((event) => JSON.stringify(event).replaceAll('":', '": ').replaceAll(',"', ', "')),
    'written out again with spaces',
  ],
  [
    'a body written out with sorted fields',
    parsedFirst((event) => JSON.stringify(event, Object.keys(event ?? {}).sort())),
    'in alphabetical order',
  ],
  [
    'the wrong kind of secret for X-Signature',
    { plain: (request) => equal(plainSignature(request.raw, signing.endpointSecrets[0]), given(request)) },
    "X-Signature keyed with the endpoint's secret",
  ],
  [
    'an undecoded secret',
    { standard: (request) => checksStandard(request, endpointSecret.slice(6)) },
    'with the undecoded base64 of the secret',
  ],
  [
    'the whole text of a secret',
    { standard: (request) => checksStandard(request, endpointSecret) },
    'with the whole text of the secret',
  ],
  [
    'the wrong kind of secret for webhook-signature',
    { standard: (request) => checksStandard(request, signing.secretKey) },
    'webhook-signature keyed with the secret key',
  ],
  [
    'the body alone',
    {
      standard: ({ raw, headers }) =>
        equal(
          `v1,${createHmac('sha256', endpointKey).update(raw).digest('base64')}`,
          headers['webhook-signature'],
        ),
    },
    'over the body alone',
  ],
])(
  'the diagnosis of a receiver that refuses all names its mistake: it verifies by %s',
  async (_, rule, finding) => {
    const { diagnosis, rules, score } = await check(await mistaken(rule));
    expect(diagnosis?.title).toBe('It refuses genuine deliveries');
    expect(diagnosis?.evidence).toContain(finding);
    expect(score).toEqual({ kept: 0, broken: 1, unclear: 11 });
    expect(rules[0]).toMatchObject({ rule: 'answers_quickly', verdict: 'broken' });
  },
);

type Verify = (request: Request) => boolean;

// Only a wrong secret of the second check shows: a receiver that fails at the first answers everything alike.
test.each<[string, Verify, Verify, string]>([
  ['X-Signature', checksStandard, (request) => checksPlain(request, 'sk_test_other'), 'another secret key'],
  [
    'webhook-signature',
    checksPlain,
    (request) => checksStandard(request, Buffer.alloc(32)),
    "another endpoint's secret",
  ],
])('the wrong secret for %s is found by equal answers', async (header, first, second, finding) => {
  const words: Handler = (request) => {
    if (!first(request)) return { status: 401, body: 'no' };
    return second(request) ? ok : { status: 400, body: 'no' };
  };
  const { diagnosis } = await check(await startReceiver(words));
  expect(diagnosis?.evidence).toContain(`to a wrong ${header}`);
  expect(diagnosis?.fix).toContain(finding);
});

test('the words of a receiver that names the wrong signature count', async () => {
  const says: Handler = (request) =>
    checksStandard(request, standardSignature({}, Buffer.alloc(0), 'x'))
      ? ok
      : { status: 400, body: '{"error":"webhook-signature does not fit the body"}' };
  const { diagnosis } = await check(await startReceiver(says));
  expect(diagnosis?.fix).toContain("another endpoint's secret");
});

test('a check without the secret key says that X-Signature was left out', async () => {
  const url = await startReceiver(careful(() => ok));
  const { diagnosis } = await check(url, { signing: { ...signing, secretKey: null } });
  expect(diagnosis?.fix).toContain('--key');
});

test.each([
  ['with the secret key alone', { ...signing, endpointSecrets: [] }, checksPlain],
  ["with the endpoint's secret alone", { ...signing, secretKey: null }, checksStandard],
])('a receiver may be checked %s', async (_, known, verifies) => {
  const url = await startReceiver((request) => (verifies(request) && parse(request.raw) ? ok : refused));
  const { diagnosis, score } = await check(url, { signing: known });
  expect(diagnosis).toBeNull();
  expect(score.broken).toBe(known.secretKey === null ? 1 : 0);
});

test.each([
  [
    'redirects',
    { status: 308, headers: { location: 'https://www.example.com/hook' } },
    'It redirects',
    'www.example.com',
  ],
  ['has no such route', { status: 404, body: 'Not found' }, 'No route takes webhooks at this address', '404'],
  ['takes no POST', { status: 405 }, 'No route takes webhooks at this address', '405'],
  [
    'limits every request',
    { status: 429, headers: { 'retry-after': '0' } },
    'It asks to come back later',
    '429',
  ],
  [
    'is behind a sign-in',
    { status: 403, body: '<html>Sign in</html>' },
    'It refuses genuine deliveries',
    'A page came back',
  ],
  ['always fails', { status: 502, body: 'Bad gateway' }, 'It fails at every delivery', 'Bad gateway'],
])('the diagnosis of a receiver that %s says only that', async (_, answer, title, evidence) => {
  const { diagnosis, rules, exchanges } = await check(await startReceiver(() => answer));
  expect(diagnosis?.title).toBe(title);
  expect(diagnosis?.evidence).toContain(evidence);
  expect(rules.filter(({ verdict }) => verdict === 'broken')).toHaveLength(1);
  expect(exchanges.length).toBeLessThan(title.includes('refuses') ? 16 : 6);
});

test('the words of a page are quoted without its markup', async () => {
  const page =
    '<!DOCTYPE html><html><head><title>Error</title></head><body><pre>Error: bad signature</pre></body>';
  const url = await startReceiver(() => ({ status: 400, body: page }));
  const { diagnosis } = await check(url);
  expect(diagnosis?.evidence).toContain('saying "Error: bad signature"');
  expect(diagnosis?.snippet).toBe('raw-body');
});

test('an address where nothing listens cannot be reached', async () => {
  const { diagnosis, score } = await check('http://127.0.0.1:9/hook');
  expect(diagnosis).toMatchObject({
    title: 'It cannot be reached',
    fix: expect.stringContaining('Start your receiver'),
  });
  expect(score).toEqual({ kept: 0, broken: 1, unclear: 11 });
});

test('a receiver that answers nothing gets two deliveries', async () => {
  const { diagnosis, exchanges } = await check(await listen(() => {}), { timeoutMs: 300 });
  expect(diagnosis?.title).toBe('It gives no answer');
  expect(exchanges.map(({ name }) => name)).toEqual(expect.arrayContaining(['valid', 'valid_again']));
});

test('a receiver that breaks off genuine deliveries is not one that cannot be reached', async () => {
  const { diagnosis } = await check(await startReceiver(careful(() => null)));
  expect(diagnosis?.title).toBe('It breaks the connection of genuine deliveries');
});

test('a receiver that had to start first is judged by the second delivery', async () => {
  let isStarting = true;
  const url = await startReceiver((request) => {
    if (!isStarting) return careful(() => ok)(request);
    isStarting = false;
    return new Promise(() => {});
  });
  const { diagnosis, rules } = await check(url, { timeoutMs: 3_000 });
  expect(diagnosis).toBeNull();
  expect(rules.filter(({ verdict }) => verdict === 'broken').map(({ rule }) => rule)).toEqual([
    'answers_quickly',
  ]);
});

test('a receiver that answers 200 to forged ones, but with other words, gets a diagnosis of its own', async () => {
  const url = await startReceiver((request) =>
    checksPlain(request) && parse(request.raw) ? ok : { status: 200, body: 'ignored' },
  );
  expect((await check(url)).diagnosis?.title).toBe('It answers forged deliveries with 2xx');
});

test('the last request before a receiver ended is the one that counts against it', async () => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    if (!checksPlain({ raw, headers: request.headers, method: '' })) return response.writeHead(400).end();
    if (raw.toString() !== 'null') return response.end('ok');
    server.close();
    return server.closeAllConnections();
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address() as { port: number };
  const findings = await check(`http://127.0.0.1:${address.port}/hook`);
  expect(ruleOf(findings, 'nonsense')).toMatchObject({
    verdict: 'broken',
    evidence: expect.stringContaining('`null`'),
  });
  expect(findings.exchanges.at(-1)).toMatchObject({
    as_expected: null,
    error: 'Not sent: the receiver was gone',
  });
});
