import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@stellar/stellar-sdk';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { startHorizon } from '../../test/horizon/horizon.ts';
import { startPiPlatform } from '../../test/pi-platform/platform.ts';
import { type CreatedPayment, submitForm } from '../../test/support/api.ts';
import { testFolder } from '../../test/support/data-dir.ts';
import { startApp } from '../../test/support/running.ts';
import type { StateJson } from './state-json.ts';

// A page in the Pi Browser, with a real gateway and a simulated platform and network.

const coin = 10_000_000n;
const key = 'a-server-key-of-the-platform';

const directory = await testFolder();
const horizon = await startHorizon();
const account = Keypair.random().publicKey();
horizon.fund(account, 100n * coin);
const { passphrase, url } = horizon;
const pi = await startPiPlatform({ horizonUrl: url, passphrase, app: { name: 'Florin', key, account } });
const user = pi.users.add({ username: 'ada' });
horizon.fund(user.wallet.publicKey(), 10_000n * coin);
const keyFile = join(directory, 'key');
await writeFile(keyFile, key);
const platform = { url: pi.apiUrl, key_file: keyFile, sdk_url: pi.sdkUrl };
const config = join(directory, 'config.json');
await writeFile(config, JSON.stringify({ pi: { passphrase, horizon: [url], account, platform } }));
const app = await startApp({
  env: { CONFIG_FILE: config, RATE_LIMIT: '1', TRUST_PROXY: '1' },
  seed: { approved: true },
});
afterAll(async () => {
  await pi.stop();
  await horizon.stop();
});

async function createPage(input: Record<string, unknown> = {}): Promise<string> {
  const { body } = await app.api<CreatedPayment>('PUT', '/payment/create', {
    key: app.liveSecretKey,
    body: { amount: 12.5, currency: 'PI', payment_type: 'deposit', ...input },
  });
  return body.data.PaymentURL;
}

async function stateOf(page: string): Promise<StateJson> {
  return (await (await fetch(page.replace('?', '/state?'))).json()) as StateJson;
}

/** Has the SDK create the payment that the page shows. */
async function begin(page: string): Promise<string> {
  const { memo, amount } = await vi.waitFor(async () => {
    const [destination] = (await stateOf(page)).destinations;
    if (!destination) throw new Error('nothing is shown yet');
    return destination;
  }, 120_000);
  const reference = new URL(page).searchParams.get('reference');
  return pi.userSide.create(user, { amount: Number(amount), memo: memo!, metadata: { reference } })
    .identifier;
}

async function say(page: string, call: string, fields: Record<string, string>, headers = {}) {
  const response = await submitForm(page, `pi/${call}`, fields, headers);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('a payment in the Pi Browser completes, and its page shows that', async () => {
  const page = await createPage();
  const pi_payment = await begin(page);
  expect(await say(page, 'approve', { pi_payment })).toEqual({ status: 200, body: { status: 'approved' } });
  expect((await stateOf(page)).payment_status).toBe('linked');
  const { transaction } = await pi.userSide.submit(user, pi_payment);
  const { txid } = transaction!;
  const completed = { status: 200, body: { status: 'completed' } };
  expect(await say(page, 'complete', { pi_payment, txid })).toEqual(completed);
  await expect.poll(async () => (await stateOf(page)).payment_status).toBe('completed');
  expect(await say(page, 'complete', { pi_payment, txid })).toEqual(completed);
  expect((await stateOf(page)).transfers).toMatchObject([{ transaction: txid, amount: '12.5' }]);
});

test('an unfinished payment is found at the next visit, and cancelled or completed', async () => {
  const left = await createPage();
  const pi_payment = await begin(left);
  await say(left, 'approve', { pi_payment });
  const next = await createPage();
  expect((await say(next, 'incomplete', { pi_payment })).body).toEqual({ status: 'cancelled' });
  const another = await begin(next);
  await say(next, 'approve', { pi_payment: another });
  expect((await say(next, 'cancel', { pi_payment: another })).body).toEqual({ status: 'cancelled' });
});

describe('the calls of the Pi script', () => {
  test('are refused without the token of the page', async () => {
    const page = await createPage();
    const pi_payment = await begin(page);
    for (const call of ['approve', 'complete', 'incomplete', 'cancel']) {
      const { status } = await say(page, call, { pi_payment, token: 'a guess' });
      expect(status).toBe(404);
    }
    expect(pi.payment(pi_payment)!.status).toMatchObject({ developer_approved: false, cancelled: false });
  });

  test('are refused when another site sends them', async () => {
    const page = await createPage();
    const pi_payment = await begin(page);
    const { status } = await say(page, 'approve', { pi_payment }, { origin: 'https://evil.example' });
    expect(status).toBe(403);
  });

  test.each<[string, () => Promise<string>]>([
    ['in test mode', () => createTestPage()],
    ['in another currency', () => createPage({ currency: 'USDC' })],
  ])('do not exist on a page %s', async (_, open) => {
    expect((await say(await open(), 'approve', { pi_payment: 'anything' })).status).toBe(404);
  });

  async function createTestPage(): Promise<string> {
    const body = { amount: 12.5, currency: 'PI', payment_type: 'deposit' };
    return (await app.api<CreatedPayment>('PUT', '/payment/create', { body })).body.data.PaymentURL;
  }

  test('are refused without a valid identifier of Pi', async () => {
    const page = await createPage();
    for (const pi_payment of ['', '../payments', 'a b', 'x'.repeat(29), '\u0000']) {
      expect((await say(page, 'approve', { pi_payment })).status).toBe(400);
    }
  });

  test('are limited: twenty at once, and then one in two seconds', async () => {
    const page = await createPage();
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const begun = performance.now();
    const next = async () => (await say(page, 'incomplete', { pi_payment: 'nothing' }, from)).status;
    let letIn = 0;
    let status = await next();
    for (; status === 200; status = await next()) letIn += 1;
    const seconds = (performance.now() - begun) / 1000;
    expect(status).toBe(429);
    expect(letIn).toBeGreaterThanOrEqual(20);
    expect(letIn).toBeLessThanOrEqual(20 + seconds / 2);
  });
});

test('the server key is never logged', async () => {
  const page = await createPage();
  const pi_payment = await begin(page);
  pi.faults.add({ on: /approve$/, status: 500, times: 2 });
  const from = { 'x-forwarded-for': '203.0.113.10' };
  expect((await say(page, 'approve', { pi_payment }, from)).body).toEqual({
    status: 'pending',
    message_key: 'pi_not_reached',
  });
  expect(app.log()).toContain('a page in the Pi Browser has to wait');
  expect(app.log()).not.toContain(key);
});
