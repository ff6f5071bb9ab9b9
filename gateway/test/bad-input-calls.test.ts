import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../src/kit/db/db.ts';
import { submitForm } from './support/api.ts';
import { seedBalance, seedUser } from './support/fixtures.ts';
import { freePorts } from './support/free-ports.ts';
import {
  type Call,
  call,
  create,
  expectRefusal,
  expectRefused,
  fundUser,
  invalidField,
  refuses,
} from './support/refusals.ts';
import { startApp } from './support/running.ts';

const app = await startApp();
await seedUser(app.db, 'ada');
const owner = app.integrationId;
await seedBalance(app.db, { owner, kind: 'business', mode: 'test', asset: 'pi', units: 10n ** 9n });
await create({ payment_reference: 'OPEN' })(app.api);

const rows = (status: number, message: string | RegExp, calls: Record<string, Call>) =>
  refuses(() => app, status, message, calls);

describe('fund-user refuses, and writes nothing for,', () => {
  rows(401, 'Missing or invalid Authorization header', {
    'no Authorization': fundUser({}, { key: null }),
    'another scheme': fundUser({}, { key: null, headers: { authorization: 'Basic YTpi' } }),
    'an unknown key': fundUser({}, { key: `sk_test_${'b'.repeat(32)}` }),
  });
  rows(400, 'username is required', {
    'no username': fundUser({ username: undefined }),
    'an empty username': fundUser({ username: '' }),
    'a username with NUL': fundUser({ username: 'a\0' }),
  });
  rows(400, 'username is invalid: must be text', {
    'a username that is a number': fundUser({ username: 12345 }),
  });
  rows(400, 'amount must be a positive number', {
    'no amount': fundUser({ amount: undefined }),
    'an amount in quotes': fundUser({ amount: '1' }),
    'a negative amount': fundUser({ amount: -1 }),
  });
  rows(400, 'amount has too many decimals for PI', { 'an eighth decimal': fundUser({ amount: 1e-8 }) });
  rows(400, 'amount is too large', { 'an amount of 1e21': fundUser({ amount: 1e21 }) });
  rows(400, 'Currency is required', { 'no currency': fundUser({ currency: null }) });
  rows(400, 'Currency not supported', {
    'a currency in upper case': fundUser({ currency: 'PI' }),
    'a network that is not configured': fundUser({ currency: 'pi-bep20' }),
    'a currency that every object has': fundUser({ currency: '__proto__' }),
  });
  rows(404, 'User not found', { 'a user who is not there': fundUser({ username: 'nobody' }) });
  rows(403, 'Insufficient business balance', {
    'more than the balance': fundUser({ amount: 101 }),
    'an asset without a balance': fundUser({ currency: 'usdt-bep20' }),
  });
});

describe('the other calls refuse, and write nothing for,', () => {
  const simulate = (reference: string, outcome: string) =>
    call('POST', `/test/payments/${reference}/simulate`, { body: { outcome } });
  const endpoint = (body: object) => call('POST', '/webhook-endpoints', { body });
  const advance = (seconds: number) => call('POST', '/test/clock/advance', { body: { seconds } });
  const noEvent = '00000000-0000-7000-8000-000000000000';

  rows(401, 'Missing or invalid Authorization header', {
    'no key to list payments': call('GET', '/payments', { key: null }),
    'no key to see balances': call('GET', '/balances', { key: null }),
    'no key for the test clock': call('GET', '/test/clock', { key: null }),
  });
  rows(400, 'Bad request', { 'a path that is no UTF-8': call('GET', '/payment/info/%ff') });
  rows(400, invalidField('outcome'), { 'an unknown outcome': simulate('OPEN', 'luck') });
  rows(400, invalidField('customer_reference'), {
    'a filter with NUL': call('GET', '/payments?customer_reference=a%00b'),
  });
  rows(400, invalidField('cursor'), {
    'a cursor of nonsense': call('GET', '/payments?cursor=bm9uc2Vuc2U'),
    'a cursor of another list': call('GET', '/balance-entries?cursor=bm9uc2Vuc2U'),
  });
  rows(400, invalidField('from'), { 'a time of nonsense': call('GET', '/payments?from=yesterday') });
  rows(400, invalidField('limit'), {
    'a limit of 101': call('GET', '/payments?limit=101'),
    'a limit of nothing': call('GET', '/events?limit=0'),
  });
  rows(400, invalidField('url'), {
    'a webhook to javascript:': endpoint({ url: 'javascript:alert(1)' }),
    'a webhook to nowhere': endpoint({}),
  });
  rows(400, invalidField('events'), {
    'a webhook of no event': endpoint({ url: 'https://shop.example', events: [] }),
    'a webhook of an unknown event': endpoint({ url: 'https://shop.example', events: ['payment_lost'] }),
  });
  rows(400, invalidField('seconds'), {
    'a clock that runs backwards': advance(-1),
    'a clock that runs in fractions': advance(0.5),
    'a clock that runs for ever': advance(1e15),
  });
  rows(404, 'Payment information not found', {
    'information on nothing': call('GET', '/payment/info/NOTHING', { key: null }),
    'information on NUL': call('GET', '/payment/info/a%00b', { key: null }),
  });
  rows(404, 'Not found', {
    'a route that is not there': call('GET', '/payment'),
    'another method': call('POST', '/payment/create', { body: {} }),
    'a payment with NUL': call('GET', '/payments/a%00b'),
    'to cancel nothing': call('POST', '/payments/NOTHING/cancel'),
    'to simulate NUL': simulate('a%00b', 'success'),
    'to simulate NUL, with an Idempotency-Key': call('POST', '/test/payments/a%00b/simulate', {
      body: { outcome: 'success' },
      headers: { 'idempotency-key': 'k' },
    }),
    'an event that is no id': call('GET', '/events/a%00b'),
    'to re-send nothing': call('POST', `/events/${noEvent}/resend`),
  });

  test('to cancel a payment that has ended', async () => {
    await simulate('OPEN', 'success')(app.api);
    await expectRefusal(
      app,
      call('POST', '/payments/OPEN/cancel'),
      409,
      'Payment can no longer be cancelled',
    );
  });

  test('a form of the hosted page that another site sends', async () => {
    const created = await app.api<{ PaymentURL: string }>('PUT', '/payment/create', {
      body: { amount: 20, currency: 'USDC', payment_type: 'deposit', payment_reference: 'FORM' },
    });
    const url = created.body.data.PaymentURL;
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
    ]) {
      expect((await submitForm(url, 'cancel', {}, headers)).status).toBe(403);
    }
    const { body } = await app.api<{ payment_status: string }>('GET', '/payment/info/FORM');
    expect(body.data.payment_status).toBe('unlinked');
  });

  test('and nothing of all this was a fault of ours', () => {
    expect(app.log()).toBe('');
  });
});

describe('while something else is down', () => {
  test('fund-user says that the wallet backend cannot be reached, and keeps the money', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'florin-test-'));
    const tokenFile = join(directory, 'token');
    await writeFile(tokenFile, 'a token');
    const [closedPort] = await freePorts(1);
    const env = {
      WALLET_BACKEND_URL: `http://127.0.0.1:${closedPort}`,
      WALLET_BACKEND_TOKEN_FILE: tokenFile,
    };
    const remote = await startApp({ env });
    await rm(directory, { recursive: true });
    const owner = remote.integrationId;
    await seedBalance(remote.db, { owner, kind: 'business', mode: 'test', asset: 'pi', units: 10n ** 9n });

    await expectRefusal(remote, fundUser(), 502, 'Failed to reach the backend');
  });

  test('every call says that it is the database, and may be tried again', async () => {
    const connection = {
      host: join(tmpdir(), 'no-database-here'),
      port: 5432,
      user: 'florin',
      database: 'florin',
    };
    const db = openDatabase(connection, 2);
    const without = await startApp({
      database: { db, connection, serving: { db, connection } },
      integration: app,
    });
    expectRefused(await create()(without.api), 503, 'Temporarily unavailable');
    expectRefused(await fundUser()(without.api), 503, 'Temporarily unavailable');
    expectRefused(await call('GET', '/payment/info/OPEN')(without.api), 503, 'Temporarily unavailable');
    await db.end();
  });
});
