import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../gateway/test/refunds/keys.ts';
import { seedUser } from '../../gateway/test/support/fixtures.ts';
import { startApp } from '../../gateway/test/support/running.ts';
import { openReceiver } from '../../gateway/test/webhooks/receiver.ts';
import type { Answer } from '../typescript/test/server.ts';
import type {
  CallCase,
  HashedBytes,
  JudgedDestination,
  JudgedWebhook,
  JudgedWords,
  RequestCase,
  Result,
  WantedRequest,
} from './cases.ts';
import { type Driver, type Language, languages, startDriver } from './drivers.ts';
import { madeData } from './make.ts';
import { type Received, serveCases } from './server.ts';
import { playStory, type Step } from './story.ts';

// The four SDKs, each asked the same: `npm test` asks TypeScript, Python and PHP, and the soak Go too, whose compiler is large.

type ErrorCase = Omit<CallCase, 'kind'> & {
  name: string;
  answers: Answer[];
  result: Omit<Result, 'waitsMs'>;
  requests: number;
  waits?: [least: number, most: number][];
  wanted?: WantedRequest;
};

const read = <Data>(file: string): Data =>
  JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as Data;
const requests = read<RequestCase[]>('requests.json');
const errors = read<ErrorCase[]>('errors.json');
const webhooks = read<JudgedWebhook[]>('webhooks.json');
const destinations = read<JudgedDestination[]>('destinations.json');
const wordCases = read<JudgedWords[]>('words.json');
const hashes = read<HashedBytes[]>('hashes.json');
const story = read<Step[]>('story.json');
const secretKey = 'sk_test_conformance';

const server = await serveCases();
const app = await startApp();
await seedUser(app.db, 'ada');
const keys = {
  refunds: await createKey(app, ['make refunds', 'read payments']),
  payouts: await createKey(app, ['make payouts', 'create payments', 'read payments']),
};
const receiver = await openReceiver();
afterAll(async () => {
  await server.close();
  await receiver.close();
});

/** Without what is null, as Go leaves it out. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(entries.map(([name, each]) => [name, bare(each)]));
}

/** The request as it must arrive, with the headers that all have. */
function wantedOf({ key, ...wanted }: WantedRequest) {
  return {
    ...wanted,
    query: wanted.query.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
    key: typeof key === 'string' ? key : key ? expect.stringMatching(/^[0-9a-f-]{36}$/) : null,
    authorization: `Bearer ${secretKey}`,
    accept: 'application/json',
    contentType: wanted.body === null ? undefined : 'application/json',
  };
}

/** Every try is the same request. */
function expectOneRequest(received: Received[]): void {
  for (const each of received.slice(1)) {
    if (each.path === received[0]?.path && each.method !== 'GET') expect(each).toEqual(received[0]);
  }
}

test.each(await madeData())('$file is fresh: node sdk/conformance/make.ts', ({ current, expected }) => {
  expect(current).toBe(expected);
});

const [asked, others] = [true, false].map((isAsked) =>
  languages.filter(({ missing }) => (missing === null) === isAsked),
) as [Language[], Language[]];

for (const { name, missing } of others) test.skip(`the SDK for ${name}: ${missing}`);

describe.each(asked)('the SDK for $name', (language) => {
  let driver: Driver;
  beforeAll(() => {
    driver = startDriver(language);
  });
  afterAll(() => driver.end());

  const named = (name: string) => `${language.name} ${name}`.replaceAll(/\W+/g, '-');

  test('makes each call with the same request, and reads its answer', async () => {
    for (const { request, answer, ...given } of requests) {
      const { baseUrl, received } = server.open(named(given.call), [{ body: answer }]);
      const { data, ...rest } = await driver.ask({ kind: 'call', ...given, secretKey, baseUrl });
      expect({ call: given.call, ...rest }).toEqual({ call: given.call, waitsMs: [] });
      const { replayed: _, ...plain } = { ...(data as object | null) } as { replayed?: boolean };
      expect(bare(plain), given.call).toEqual(bare({ ...(answer.data as object | null) }));
      expect(received()).toEqual([wantedOf(request)]);
    }
  });

  test.each(errors)('has it that $name', async (given) => {
    const { name, answers, result, requests: count, waits, wanted, ...call } = given;
    const { baseUrl, received } = server.open(named(name), answers);
    const found = await driver.ask({ kind: 'call', secretKey, baseUrl, ...call });
    expect(bare(found)).toMatchObject(bare(result) as object);
    if ('data' in result) expect(bare(found.data)).toEqual(bare(result.data));
    expect(received()).toHaveLength(count);
    if (wanted) expect(received()).toEqual([wantedOf(wanted)]);
    expectOneRequest(received());
    if (found.error) expect(found.error.idempotencyKey).toBe(received()[0]?.key);
    for (const [index, [least, most]] of (waits ?? []).entries()) {
      expect(found.waitsMs?.[index]).toBeGreaterThanOrEqual(least);
      expect(found.waitsMs?.[index]).toBeLessThanOrEqual(most);
    }
  });

  test('judges 200 webhooks as they were made', async () => {
    const judged = [];
    for (const { name, verdict: _, ...webhook } of webhooks) {
      const { event, refusal } = await driver.ask({ kind: 'webhook', ...webhook });
      judged.push({ name, verdict: event ? 'ok' : refusal });
    }
    expect(judged).toHaveLength(200);
    expect(judged).toEqual(webhooks.map(({ name, verdict }) => ({ name, verdict })));
  });

  test('computes addresses as the gateway does, and says what differs from what was agreed on', async () => {
    for (const { name, verdict, ...given } of destinations) {
      const { address, refusal } = await driver.ask({ kind: 'destination', ...given });
      expect(`${name}: ${refusal ?? 'ok'}`).toBe(`${name}: ${verdict}`);
      const { address: shown } = given.destination as { address: string };
      if (verdict === 'ok') expect(address?.toLowerCase()).toBe(shown.toLowerCase());
      // Computed addresses have their checksum.
      if (verdict === 'ok' && shown !== shown.toLowerCase()) expect(address).toBe(shown);
    }
  });

  test('makes the words of a payment as the gateway does', async () => {
    for (const { expect: wanted, ...given } of wordCases) {
      expect(await driver.ask({ kind: 'words', ...given }), JSON.stringify(given)).toEqual(wanted);
    }
  });

  test('hashes as chains do', async () => {
    for (const { digest, bytes } of hashes) {
      expect(await driver.ask({ kind: 'keccak', bytes })).toEqual({ digest });
    }
  });

  test('plays the whole story with a gateway', async () => {
    const world = { driver, receiver, baseUrl: app.baseUrl, keys: { ...keys, all: app.secretKey } };
    await playStory(world, language.name, story);
  });
});
