import { describe, expect, test } from 'vitest';
import { newId } from '../src/kit/ids.ts';
import { seedBalance, seedIntegration, seedUser, testSeal } from './support/fixtures.ts';
import { restrictedKey, revoke } from './support/keys.ts';
import { type Call, call, create, expectRefusal, fundUser } from './support/refusals.ts';
import { startApp } from './support/running.ts';

const app = await startApp({ seed: { approved: true } });
const live = app.liveSecretKey;
await seedUser(app.db, 'ada');
const owner = app.integrationId;
await seedBalance(app.db, { owner, kind: 'business', mode: 'test', asset: 'pi', units: 10n ** 9n });
await create({ payment_reference: 'OURS' })(app.api);

const statusOf = async (asked: Call) => (await asked(app.api)).status;

describe('a key of the other mode', () => {
  test('does not see the payment, nor can it touch it', async () => {
    expect(await statusOf(call('GET', '/payments/OURS'))).toBe(200);
    await expectRefusal(app, call('GET', '/payments/OURS', { key: live }), 404, 'Not found');
    await expectRefusal(app, call('POST', '/payments/OURS/cancel', { key: live }), 404, 'Not found');
    const list = await app.api<{ items: unknown[] }>('GET', '/payments', { key: live });
    expect(list.body.data.items).toEqual([]);
  });

  test('cannot take the reference again', async () => {
    const again = create({ payment_reference: 'OURS' }, { key: live });
    await expectRefusal(app, again, 409, 'payment_reference already exists');
  });

  test('has no test calls', async () => {
    const testOnly = 'Only available in test mode';
    const simulate = call('POST', '/test/payments/OURS/simulate', {
      key: live,
      body: { outcome: 'success' },
    });
    await expectRefusal(app, simulate, 403, testOnly);
    await expectRefusal(app, call('GET', '/test/clock', { key: live }), 403, testOnly);
    const advance = call('POST', '/test/clock/advance', { key: live, body: { seconds: 60 } });
    await expectRefusal(app, advance, 403, testOnly);
    await expectRefusal(app, call('POST', '/test/clock/reset', { key: live }), 403, testOnly);
  });

  test('moves no money of test mode', async () => {
    await expectRefusal(app, fundUser({}, { key: live }), 403, 'Insufficient business balance');
  });

  test('does not meet its Idempotency-Keys', async () => {
    const headers = { 'idempotency-key': 'same' };
    expect(await statusOf(create({ payment_reference: 'KEYED-TEST' }, { headers }))).toBe(200);
    expect(await statusOf(create({ payment_reference: 'KEYED-LIVE' }, { headers, key: live }))).toBe(200);
  });
});

test('a key of another integration sees nothing of this one', async () => {
  const { secretKey: key } = await seedIntegration(app.db, testSeal);
  await expectRefusal(app, call('GET', '/payments/OURS', { key }), 404, 'Not found');
  await expectRefusal(app, call('POST', '/payments/OURS/cancel', { key }), 404, 'Not found');
});

test('a key that was revoked is refused from that moment', async () => {
  const key = await restrictedKey(app.db, app.integrationId, {});
  expect(await statusOf(create({}, { key }))).toBe(200);
  await revoke(app.db, key);
  await expectRefusal(app, create({}, { key }), 401, 'Unauthorized: Invalid secret key');
  await expectRefusal(app, fundUser({}, { key }), 401, 'Missing or invalid Authorization header');
});

test('a restricted key does what it may and nothing else', async () => {
  const key = await restrictedKey(app.db, app.integrationId, { actions: ['read payments', 'read balances'] });
  expect(await statusOf(call('GET', '/payments/OURS', { key }))).toBe(200);
  expect(await statusOf(call('GET', '/balances', { key }))).toBe(200);
  const refused: Record<string, Call> = {
    'create payments': create({}, { key }),
    'cancel payments': call('POST', '/payments/OURS/cancel', { key }),
    'fund users': fundUser({}, { key }),
    'read events': call('GET', '/events', { key }),
    'resend events': call('POST', `/events/${newId()}/resend`, { key }),
    'manage webhooks': call('POST', '/webhook-endpoints', { key, body: { url: 'https://shop.example' } }),
    'use test mode calls': call('GET', '/test/clock', { key }),
  };
  for (const [action, each] of Object.entries(refused)) {
    await expectRefusal(app, each, 403, `This key may not ${action}`);
  }
});

test('a key with a list of addresses works from these alone', async () => {
  const elsewhere = await restrictedKey(app.db, app.integrationId, { addresses: ['203.0.113.0/24'] });
  const here = await restrictedKey(app.db, app.integrationId, {
    addresses: ['203.0.113.0/24', '127.0.0.0/8'],
  });
  const refusal = 'Address 127.0.0.1 is not allowed for this key';
  await expectRefusal(app, create({}, { key: elsewhere }), 403, refusal);
  // What a stranger writes into this header is not believed unless a proxy is configured.
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  await expectRefusal(app, create({}, { key: elsewhere, headers }), 403, refusal);
  expect(await statusOf(create({}, { key: here }))).toBe(200);
});
