import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiRequest } from './support/api.ts';
import { seedBalance, seedIntegration, seedUser, testSeal } from './support/fixtures.ts';
import { restrictedKey } from './support/keys.ts';
import { type Call, call, create, expectRefusal, expectRefused, fundUser } from './support/refusals.ts';
import { type RunningApp, startApp } from './support/running.ts';

let app: RunningApp;
/** Live keys: of an integration whose approval was withdrawn after a call with a key, and of one that has it. */
let withdrawn: string;
let approved: string;
let mayOnlyRead: string;
let fromElsewhere: string;

beforeAll(async () => {
  app = await startApp({ seed: { approved: true } });
  const { db, integrationId: owner } = app;
  await seedUser(db, 'ada');
  await seedBalance(db, { owner, kind: 'business', mode: 'live', asset: 'pi', units: 10n ** 9n });
  withdrawn = app.liveSecretKey;
  mayOnlyRead = await restrictedKey(db, owner, { actions: ['read payments'], mode: 'live' });
  fromElsewhere = await restrictedKey(db, owner, {
    addresses: ['203.0.113.0/24', '2001:db8::1'],
    mode: 'live',
  });
  const first = { key: withdrawn, headers: used };
  const calls = [create({ payment_reference: 'TAKEN' }, first), fundUser({}, first)];
  for (const each of calls) expect((await each(app.api)).status).toBe(200);
  await db.query(`UPDATE integrations SET approval = 'suspended' WHERE id = $1`, [owner]);
  ({ liveSecretKey: approved } = await seedIntegration(db, testSeal, { approved: true }));
});

/** From the top each call has one fault fewer than the one before it, so that the next check speaks. */
type Rungs = Record<string, () => Call>;

const faults = { 'content-type': 'text/plain', 'idempotency-key': 'used' };
const used = { 'idempotency-key': 'used' };
const tooBig = `{${' '.repeat(70_000)}`;

/** What every keyed write checks before it looks at its fields. */
const sharedRungs = (send: (request: ApiRequest) => Call): Rungs => ({
  '403 Address 127.0.0.1 is not allowed for this key': () =>
    send({ key: fromElsewhere, headers: faults, raw: tooBig }),
  '415 Content-Type must be application/json': () => send({ key: withdrawn, headers: faults, raw: tooBig }),
  '413 Request body is too large': () => send({ key: withdrawn, headers: used, raw: tooBig }),
  '400 Request body is not valid JSON': () => send({ key: withdrawn, headers: used, raw: '{' }),
  '422 Idempotency-Key was used with a different request': () =>
    send({ key: withdrawn, headers: used, body: { amount: 0 } }),
});

const sendCreate = (request: ApiRequest) => call('PUT', '/payment/create', request);
const createRungs: Rungs = {
  '401 Unauthorized: Missing secret key': () => sendCreate({ key: null, headers: faults, raw: tooBig }),
  '403 This key may not create payments': () =>
    sendCreate({ key: mayOnlyRead, headers: faults, raw: tooBig }),
  ...sharedRungs(sendCreate),
  '400 Payment type not supported': () =>
    create({ payment_type: 'gift', amount: 0.5, payment_reference: 'TAKEN' }, { key: withdrawn }),
  '403 Integration is not yet approved': () =>
    create({ amount: 0.5, payment_reference: 'TAKEN' }, { key: withdrawn }),
  '400 amount is below the minimum of 1.00 USD for USDC': () =>
    create({ amount: 0.5, payment_reference: 'TAKEN' }, { key: approved }),
  '409 payment_reference already exists': () => create({ payment_reference: 'TAKEN' }, { key: approved }),
};

const sendFundUser = (request: ApiRequest) => call('POST', '/payment/fund-user', request);
const fundUserRungs: Rungs = {
  '401 Missing or invalid Authorization header': () =>
    sendFundUser({ key: null, headers: faults, raw: tooBig }),
  '403 This key may not fund users': () => sendFundUser({ key: mayOnlyRead, headers: faults, raw: tooBig }),
  ...sharedRungs(sendFundUser),
  '400 amount must be a positive number': () =>
    fundUser({ username: 'nobody', amount: -1 }, { key: withdrawn }),
  '403 Integration is not yet approved': () =>
    fundUser({ username: 'nobody', amount: 1e6 }, { key: withdrawn }),
  '404 User not found': () => fundUser({ username: 'nobody', amount: 1e6 }, { key: approved }),
  '403 Insufficient business balance': () => fundUser({ amount: 1e6 }, { key: approved }),
};

describe.each([
  ['create', createRungs],
  ['fund-user', fundUserRungs],
])('%s tells the fault that stands first in the order:', (_name, rungs) => {
  test.each(Object.entries(rungs))('%s', async (told, refused) => {
    const [, status, message] = /^(\d+) (.*)$/.exec(told)!;
    await expectRefusal(app, refused(), Number.parseInt(status!, 10), message!);
  });
});

describe('whoever asks too much is told to wait,', () => {
  // At a moment at which time stands still no bucket refills.
  const startThrottled = () =>
    startApp({ env: { RATE_LIMIT: '1' }, now: () => new Date('2026-03-01T12:00:00Z') });

  async function askUntilRefused(api: RunningApp['api'], ask: Call, most: number) {
    for (let asked = 0; asked <= most; asked += 100) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => ask(api)));
      const refused = answers.find(({ status }) => status === 429);
      if (refused) return { asked, refused };
    }
    throw new Error(`Not refused after ${most} calls`);
  }

  const whole = { headers: faults, raw: tooBig };
  test.each<[string, Call, least: number, most: number]>([
    ['with a key, before its body is looked at', sendCreate(whole), 1_900, 2_100],
    ['without a key', call('GET', '/payment/info/NOTHING', { key: null }), 100, 300],
    ['in search of references that exist', create({ payment_reference: 'TAKEN' }), 200, 500],
  ])('%s', async (_who, ask, least, most) => {
    const { api } = await startThrottled();
    await create({ payment_reference: 'TAKEN' })(api);
    const { asked, refused } = await askUntilRefused(api, ask, most);
    expect(asked).toBeGreaterThanOrEqual(least);
    expectRefused(refused, 429, 'Too many requests');
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(refused.headers.get('ratelimit')).toMatch(/^"[a-z-]+";r=0;t=\d+$/);
    expect(refused.headers.get('ratelimit-policy')).toMatch(/^"[a-z-]+";q=\d+;w=\d+$/);
  });
});
