import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { verifyWebhook } from '@florin/sdk';
import { describe, expect, test } from 'vitest';
import { newId } from '../../gateway/src/kit/ids.ts';
import { childEnvironment } from '../../gateway/test/suite/child-environment.ts';
import { freePorts } from '../../gateway/test/support/free-ports.ts';
import { startApp } from '../../gateway/test/support/running.ts';
import { openReceiver } from '../../gateway/test/webhooks/receiver.ts';
import { emptyDirectory, type Florin, main, startFlorin } from './florin.ts';

const app = await startApp();

type Line = {
  event_id: string;
  event_type: string;
  payment_reference: string;
  body: string;
  forwarded: unknown;
};

const parsed = (florin: Florin): Line[] => florin.lines().map((line) => JSON.parse(line));
const references = (florin: Florin): string[] => parsed(florin).map((line) => line.payment_reference);

async function environment(): Promise<Record<string, string>> {
  const XDG_STATE_HOME = await emptyDirectory();
  return { FLORIN_URL: app.baseUrl, FLORIN_SECRET_KEY: app.secretKey, XDG_STATE_HOME };
}

/** A listener that has started: what happens from now on is shown. */
async function listening(env: Record<string, string>, ...words: string[]): Promise<Florin> {
  const florin = startFlorin(['listen', ...words], env);
  await florin.until(() => florin.errors().includes('Ctrl-C ends it'), 'listening');
  return florin;
}

let made = 0;

/** Makes a payment and simulates an outcome; returns its reference. */
async function pay(outcome = 'success', fields: object = {}): Promise<string> {
  const payment_reference = `LISTEN-${++made}`;
  const body = { amount: 12.5, currency: 'USDC', payment_type: 'deposit', payment_reference, ...fields };
  expect((await app.api('PUT', '/payment/create', { body })).status).toBe(200);
  await app.api('POST', `/test/payments/${payment_reference}/simulate`, { body: { outcome } });
  return payment_reference;
}

const shows = (florin: Florin, ...wanted: string[]) =>
  florin.until(() => wanted.every((each) => references(florin).includes(each)), wanted.join(', '));

describe.concurrent('florin listen', { timeout: 900_000 }, () => {
  test('forwards the exact bytes, with signatures of the secret key and of its own secret', async () => {
    const shop = await openReceiver();
    const florin = await listening(await environment(), '--forward-to', shop.url, '--json');
    const reference = await pay('dispute', { customer_reference: 'Zoë "\u202eodd" 🪙', amount: 1.1 });
    const two = () => parsed(florin).filter((line) => line.payment_reference === reference);
    await florin.until(() => two().length === 2, 'both events');
    const endpointSecret = /whsec_\S+/.exec(florin.errors())![0];

    expect(two().map(({ event_type }) => event_type)).toEqual(['payment_completed', 'payment_in_appeal']);
    for (const [index, line] of two().entries()) {
      const { raw, headers } = shop.received.find(({ body }) => body.event_id === line.event_id)!;
      expect(raw.toString('utf8')).toBe(line.body);
      await verifyWebhook({ body: raw, headers, secretKey: app.secretKey, endpointSecret });
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'x-event-id': line.event_id,
        'x-sequence': `${index + 1}`,
        'webhook-id': line.event_id,
      });
      expect(line.forwarded).toEqual({ status_code: 200, duration_ms: expect.any(Number), error: null });
    }
    expect(florin.errors()).not.toContain(app.secretKey);
    expect((await florin.end('SIGINT')).code).toBe(0);
    await shop.close();
  });

  test('continues where it ended: what happened meanwhile is shown, and nothing twice', async () => {
    const env = await environment();
    const first = await listening(env, '--json');
    const before = await pay();
    await shows(first, before);
    expect((await first.end('SIGTERM')).code).toBe(0);
    const meanwhile = await pay('failure');
    const second = await listening(env, '--json');
    expect(second.errors()).toContain('from where it ended last');
    await shows(second, meanwhile);
    expect(references(second)).not.toContain(before);
    await second.end('SIGINT');
    const again = await listening(env, '--json', '--since', '1h');
    await shows(again, before, meanwhile);
    await again.end('SIGINT');
  });

  test('shows people one line for each event, of the chosen types only', async () => {
    const florin = await listening(await environment(), '--events', 'payment_failed,payment_abandoned');
    const paid = await pay('success');
    const failed = await pay('failure');
    const line = () => florin.lines().find((each) => each.includes(`${failed} `));
    await florin.until(() => line() !== undefined, failed);
    expect(line()).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}payment_failed +LISTEN-\d+ {2}failed +12\.5 USDC$/,
    );
    expect(florin.lines().join()).not.toContain(`${paid} `);
    await florin.end('SIGINT');
  });

  test('shows the answer of a local server, and sends nothing twice', async () => {
    const shop = await openReceiver(() => 500);
    const florin = await listening(await environment(), '--forward-to', shop.url);
    const reference = await pay();
    const line = () => florin.lines().find((each) => each.includes(`${reference} `));
    await florin.until(() => line() !== undefined, reference);
    expect(line()).toMatch(/ {2}500 in \d+ ms$/);
    expect(shop.received.filter(({ body }) => body.payment_reference === reference)).toHaveLength(1);
    await florin.end('SIGINT');
    await shop.close();
  });

  test('shows at the next start the events that a server which was down did not get', async () => {
    const env = await environment();
    const [port] = await freePorts(1);
    const words = ['--forward-to', `localhost:${port}/hook`, '--json'];
    const first = await listening(env, ...words);
    const reference = await pay();
    await first.until(() => first.errors().includes('is your server running? Trying again'), 'refused');
    expect(await first.end('SIGINT')).toMatchObject({ code: 0, output: '' });

    const server = createServer((request, response) => request.resume().on('end', () => response.end()));
    await once(server.listen(port, 'localhost'), 'listening');
    const second = await listening(env, ...words);
    await shows(second, reference);
    expect(parsed(second).find((line) => line.payment_reference === reference)!.forwarded).toMatchObject({
      status_code: 200,
    });
    await second.end('SIGINT');
    server.close();
  });

  test('waits for a gateway that is down, and says so once', async () => {
    const [port] = await freePorts(1);
    const env = { ...(await environment()), FLORIN_URL: `http://127.0.0.1:${port}` };
    const florin = startFlorin(['listen', '--json', '--since', '1h'], env);
    await florin.until(() => florin.errors().includes('Trying again until it answers'), 'the fault');
    const reference = await pay();
    const { integrationId, secretKey, liveSecretKey } = app;
    await startApp({
      env: { PORT: `${port}` },
      database: app,
      integration: { integrationId, secretKey, liveSecretKey },
    });
    await shows(florin, reference);
    expect(florin.errors().match(/Could not reach/g)).toHaveLength(1);
    await florin.end('SIGINT');
  });

  test('shows an event that was written earlier and committed later than others', async () => {
    const florin = await listening(await environment(), '--json');
    const late = await app.db.connect();
    await late.query('BEGIN');
    await late.query(
      `INSERT INTO events (id, integration_id, mode, type, payment_id, payment_reference, sequence, body, created_at)
       VALUES ($1, $2, 'test', 'payment_completed', $3, 'LATE', 1, '{}', now())`,
      [newId(), app.integrationId, newId()],
    );
    const [one, two] = [await pay(), await pay()];
    await shows(florin, one, two);
    expect(references(florin)).not.toContain('LATE');
    await late.query('COMMIT');
    late.release();
    await shows(florin, 'LATE');
    await florin.end('SIGINT');
  });

  test('refuses a state that another listener uses', async () => {
    const env = await environment();
    const florin = await listening(env);
    const { code, errors } = await startFlorin(['listen'], env).ended;
    expect([code, errors]).toEqual([1, expect.stringContaining('florin: another florin listen uses ')]);
    await florin.end('SIGINT');
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)('of npx ends with what started it: %s', async (signal) => {
    const env = await environment();
    const script = `
      const { spawn } = require('node:child_process');
      spawn(process.execPath, [${JSON.stringify(main)}, 'listen'], { stdio: 'inherit' });`;
    const npx = spawn(process.execPath, ['-e', script], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...childEnvironment, ...env, npm_command: 'exec' },
    });
    let errors = '';
    await new Promise<void>((resolve) => {
      npx.stderr.setEncoding('utf8').on('data', (text: string) => {
        errors += text;
        if (errors.includes('Ctrl-C ends it')) resolve();
      });
    });
    npx.kill(signal);
    // The process that it started holds the same pipe.
    await once(npx, 'close');
    await (await listening(env)).end('SIGINT');
  });

  test('ends with the error when trying again would not help', async () => {
    const env = await environment();
    const unknown = await startFlorin(['listen'], { ...env, FLORIN_SECRET_KEY: `sk_test_${'0'.repeat(32)}` })
      .ended;
    expect([unknown.code, unknown.errors]).toEqual([
      1,
      expect.stringMatching(/^florin: Missing or invalid Authorization header\n.*\nRequest id \S+: quote it/),
    ]);
    const file = join(env.XDG_STATE_HOME!, 'notes.txt');
    await writeFile(file, 'no database, '.repeat(100));
    const state = await startFlorin(['listen', '--state', file], env).ended;
    expect(state).toMatchObject({
      code: 1,
      errors: expect.stringContaining('is not a state of florin listen'),
    });
  });
});
