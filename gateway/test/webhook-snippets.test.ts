// The programs that documentation and dashboard offer for receiving webhooks do what they say. Those in Node and Python
// and for a shell are run; those in PHP and Go are not, because few machines that build this have both.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { curl } from '../../web/dashboard/src/pages/developers/snippets/curl.ts';
import { node } from '../../web/dashboard/src/pages/developers/snippets/node.ts';
import { python } from '../../web/dashboard/src/pages/developers/snippets/python.ts';
import { newId } from '../src/kit/ids.ts';
import { endpointKey, standardSignature } from '../src/kit/net/standard-webhooks.ts';
import { bodySignature, newEndpointSecret } from '../src/webhooks/endpoints/sign.ts';
import { freePorts } from './support/free-ports.ts';
import { type Case, caseOf, expectedOf, forgeriesOf, type Secrets, type Verdict } from './webhooks/cases.ts';
import { isThere, program } from './webhooks/verifiers.ts';

const root = join(import.meta.dirname, '../..');
const secrets: Secrets = { secretKey: `sk_test_${'a1B'.repeat(10)}zZ`, endpointSecret: newEndpointSecret() };
const stranger: Secrets = { secretKey: `sk_test_${'0'.repeat(32)}`, endpointSecret: newEndpointSecret() };
const integrationId = newId();
const context = {
  baseUrl: 'http://127.0.0.1:1',
  integrationId,
  mode: 'test',
  key: 'sk_test_...2zZ',
  isWhole: false,
} as const;

let directory: string;
let genuine: Case;
let cases: Case[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'florin-snippets-'));
  const modules = join(directory, 'node_modules/@florin');
  await mkdir(modules, { recursive: true });
  await symlink(join(root, 'sdk/typescript'), join(modules, 'sdk'));
  genuine = caseOf('a webhook', signed(), secrets);
  cases = [genuine, ...forgeriesOf(genuine, stranger)];
});
afterAll(() => rm(directory, { recursive: true }));

/** A webhook whose endpoint secret is being rolled: the receiver's own is the older one. */
function signed() {
  const id = newId();
  const event = {
    event_id: id,
    amount: 25.5,
    customer_reference: 'Zoë 🪙 "שלום"',
    integration_id: integrationId,
  };
  const raw = Buffer.from(
    JSON.stringify({ ...event, event_type: 'payment_completed', payment_reference: 'A' }),
  );
  const timestamp = Math.floor(Date.now() / 1000);
  const keys = [newEndpointSecret(), secrets.endpointSecret].map(endpointKey);
  const headers = {
    'x-signature': bodySignature(raw, Buffer.from(secrets.secretKey)),
    'x-event-id': id,
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': standardSignature({ id, timestamp, body: raw }, keys),
  };
  return { raw, headers };
}

async function published(language: string): Promise<string> {
  const page = await readFile(join(root, 'docs/webhooks.md'), 'utf8');
  return new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)![1]!;
}

async function written(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

function expectRight(verdicts: Verdict[], of = cases): void {
  const told = of.map(({ what }, at) => ({ what, ...verdicts[at] }));
  expect(told).toEqual(of.map((each, at) => ({ what: each.what, ...expectedOf(each, verdicts[at]!) })));
}

/** What a receiver that is a program of its own answers to each, on a port that replaces the one it names. */
async function answersOf(name: string, text: string, of: Case[], path: string): Promise<Verdict[]> {
  const [port] = await freePorts(1);
  const file = await written(
    name,
    text.replace(/\.listen\(\d+\)/, `.listen(${port}, () => console.log('up'))`),
  );
  const child = spawn(process.execPath, [file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      FLORIN_SECRET_KEY: secrets.secretKey,
      FLORIN_ENDPOINT_SECRET: secrets.endpointSecret,
      FLORIN_WEBHOOK_SECRET: secrets.endpointSecret,
    },
  });
  const ended = once(child, 'close');
  try {
    await once(child.stdout, 'data');
    const verdicts: Verdict[] = [];
    for (const { raw, headers } of of) {
      const { status } = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers,
        body: raw,
      });
      expect([200, 400]).toContain(status);
      verdicts.push({ both: status === 200 });
    }
    return verdicts;
  } finally {
    child.kill();
    await ended;
  }
}

// A receiver that runs with one pair of secrets cannot be asked under another.
const underOurs = () => cases.filter(({ secretKey }) => secretKey === secrets.secretKey);

test('the verification of docs/webhooks.md in Node', async () => {
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(await published('js'))}`);
  expectRight(
    cases.map(({ raw, headers, secretKey, endpointSecret }) => ({
      both: isGenuine(raw, headers, secretKey, endpointSecret),
    })),
  );
});

test('the verification of docs/webhooks.md in Python', async () => {
  const file = await written('docs.py', await published('python'));
  expectRight(await program('docs.py', 'python3', ['run_snippet.py', file, 'is_genuine']).judge(cases));
});

test('the receiver that the dashboard offers in Node for an endpoint', async () => {
  // By a path in a variable, because its own import of a page is understood by the bundler alone.
  const path = join(root, 'web/dashboard/src/pages/webhooks/check/receiver.ts');
  const { receiverIn } = await import(path);
  const text = receiverIn('js', 'https://shop.example/hooks/florin');
  expectRight(await answersOf('endpoint.mjs', text, underOurs(), '/hooks/florin'), underOurs());
  for (const language of ['python', 'php', 'go']) {
    expect(receiverIn(language, 'https://shop.example/hooks/florin')).toContain(await published(language));
  }
});

test('the receiver that the dashboard offers in Python is a program', async () => {
  const path = join(root, 'web/dashboard/src/pages/webhooks/check/receiver.ts');
  const { receiverIn } = await import(path);
  const file = await written('endpoint.py', receiverIn('python', 'https://shop.example/hooks/florin'));
  expect(spawnSync('python3', ['-m', 'py_compile', file], { encoding: 'utf8' })).toMatchObject({ status: 0 });
});

test('the receiver that the dashboard offers developers in Node, with the SDK', async () => {
  const verdicts = await answersOf('developers.mjs', node.verify(context), underOurs(), '/');
  expectRight(verdicts, underOurs());
});

test('the verification that the dashboard offers developers in Python', async () => {
  const file = await written('developers.py', python.verify(context));
  const { judge } = program('developers.py', 'python3', ['run_snippet.py', file, 'read_webhook']);
  const verdicts = await judge(cases);
  expectRight(verdicts);
  const foreign = await written('foreign.py', python.verify({ ...context, integrationId: newId() }));
  const other = program('foreign.py', 'python3', ['run_snippet.py', foreign, 'read_webhook']);
  expect(await other.judge([genuine])).toEqual([{ plain: false }]);
});

test.skipIf(!isThere('openssl'))('the verification that the dashboard offers for a shell', async () => {
  for (const each of cases) {
    await writeFile(join(directory, 'body.json'), each.raw);
    const script = curl.verify(context).replace(context.key, each.secretKey);
    const env = { PATH: process.env.PATH, SIGNATURE: each.headers['x-signature'] };
    const { stdout, status } = spawnSync('sh', ['-c', script], { cwd: directory, env, encoding: 'utf8' });
    const [computed, given] = stdout.split('\n');
    expect({ what: each.what, status, plain: computed === given }).toEqual({
      what: each.what,
      status: 0,
      plain: each.expected.plain,
    });
  }
});
