import { describe, expect, test } from 'vitest';
import { type CreatedPayment, createApi } from '../../../test/support/api.ts';
import { openConsole } from '../../../test/support/console.ts';
import { seedBalance, seedUser } from '../../../test/support/fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { isSignedWith, openReceiver, type Receiver } from '../../../test/webhooks/receiver.ts';
import { after } from '../../kit/clock.ts';

let aheadSeconds = 0;
const now = () => after(new Date(), aheadSeconds);
/** A second gateway on the same database. */
const app = await startApp({ now });
const other = await startApp({ now, database: app, integration: app });
const console = await openConsole(app);
const owner = await console.as('owner');
await seedUser(app.db, 'jane_doe');
const balance = { kind: 'business', owner: app.integrationId, mode: 'test' } as const;
await seedBalance(app.db, { ...balance, asset: 'usdt-bep20', units: 10n ** 24n });

type Key = {
  id: string;
  kind: string;
  hint: string;
  signing: boolean;
  last_used_at: string | null;
  last_used_from: string | null;
  valid_until: string | null;
};

const keys = async () => (await owner<{ items: Key[] }>('GET', `${console.test}/keys`)).body.data.items;
const make = async (body: object) =>
  (await owner<{ id: string; secret_key: string }>('POST', `${console.test}/keys`, { body })).body.data;
const secrets = async (mode: string, client = owner) =>
  client<{ items: { id: string; secret_key: string }[] }>('GET', `${mode}/keys/secrets`);

test('test keys can be read again by who manages keys, until they end; live keys cannot', async () => {
  const made = await make({ name: 'till', actions: ['read payments'] });
  const read = async () => (await secrets(console.test)).body.data.items;
  expect(await read()).toContainEqual(made);
  expect((await read()).map(({ secret_key }) => secret_key)).toContain(app.secretKey);
  await owner('POST', `${console.test}/keys/${made.id}/revoke`, { body: {} });
  expect(await read()).not.toContainEqual(made);

  const live = await owner<{ id: string }>('POST', `${console.live}/keys`, { body: { name: 'till' } });
  const { rows } = await app.db.query('SELECT sealed FROM api_keys WHERE id = $1', [live.body.data.id]);
  expect(rows).toEqual([{ sealed: null }]);
  expect((await secrets(console.live)).body).toMatchObject({ error: 'test_mode_only' });
  expect((await secrets(console.test, await console.as('developer'))).status).toBe(200);
  expect((await secrets(console.test, await console.as('support'))).body).toMatchObject({
    error: 'role_may_not',
  });
});

/** The answer of each gateway to a call with this key. */
const statuses = (key: string, path = '/balances') =>
  Promise.all([app, other].map(async ({ baseUrl }) => (await createApi(baseUrl, key)('GET', path)).status));
const fund = async (key: string, amount: number, currency = 'usdt-bep20') =>
  (
    await createApi(other.baseUrl, key)('POST', '/payment/fund-user', {
      body: { username: 'jane_doe', amount, currency },
    })
  ).body.message;

/** Which of the keys the next webhook is signed with. */
async function signerOf(receiver: Receiver, candidates: string[]): Promise<string | undefined> {
  const before = receiver.received.length;
  const body = { amount: 5, currency: 'PI', payment_type: 'deposit' };
  const made = await app.api<CreatedPayment>('PUT', '/payment/create', { body });
  const reference = made.body.data.PaymentData.payment_reference;
  await app.api('POST', `/test/payments/${reference}/simulate`, { body: { outcome: 'success' } });
  await expect.poll(() => receiver.received.length).toBeGreaterThan(before);
  const { raw, headers } = receiver.received.at(-1)!;
  return candidates.find((key) => isSignedWith(key, raw, headers['x-signature']));
}

describe('a restricted key', () => {
  test('does only what it may, and the refusal says what it may not', async () => {
    const { secret_key } = await make({
      name: 'Till',
      actions: ['read payments'],
      addresses: ['127.0.0.0/8'],
    });
    expect(await statuses(secret_key, '/payments')).toEqual([200, 200]);
    expect(await statuses(secret_key)).toEqual([403, 403]);
    const elsewhere = await make({ name: 'Far', addresses: ['203.0.113.7', '2001:db8::/32'] });
    expect(await statuses(elsewhere.secret_key)).toEqual([403, 403]);
  });

  test('ends on the next request of every gateway when it is revoked', async () => {
    const { id, secret_key } = await make({ name: 'Short' });
    expect(await statuses(secret_key)).toEqual([200, 200]);
    expect((await owner('POST', `${console.test}/keys/${id}/revoke`)).status).toBe(200);
    expect(await statuses(secret_key)).toEqual([401, 401]);
    expect((await owner('POST', `${console.test}/keys/${id}/revoke`)).body.error).toBe('key_ended');
  });

  test('funds users up to its daily limits, in the assets that it names', async () => {
    const { id, secret_key } = await make({ name: 'Wages', daily_limits: { 'usdt-bep20': '10' } });
    expect(await fund(secret_key, 9.5)).toBe('User wallet funded successfully');
    expect(await fund(secret_key, 1)).toBe('This key may fund 10 usdt-bep20 a day; 0.5 is left');
    expect(await fund(secret_key, 1, 'pi')).toBe('This key may fund 0 pi a day; 0 is left');
    const rolled = await owner<{ secret_key: string }>('POST', `${console.test}/keys/${id}/roll`, {
      body: { overlap_days: 1 },
    });
    expect(await fund(rolled.body.data.secret_key, 1)).toMatch('0.5 is left');
    expect(await fund(rolled.body.data.secret_key, 0.5)).toBe('User wallet funded successfully');
  });

  test('is in the audit log with its restrictions, without its secret', async () => {
    const { secret_key } = await make({ name: 'Logged', actions: ['fund users'] });
    const { text } = await owner('GET', `${console.merchant}/audit`);
    expect(text).toContain('"name":"Logged","actions":["fund users"]');
    expect(text).not.toContain(secret_key);
  });

  test.each<[string, object, string]>([
    ['no name', {}, 'name is invalid: is required'],
    ['a blank name', { name: '  ' }, 'name is invalid'],
    ['an unknown call', { name: 'x', actions: ['rule the world'] }, 'actions.0 is invalid: must be one of'],
    ['no call at all', { name: 'x', actions: [] }, 'actions is invalid'],
    ['an address that is none', { name: 'x', addresses: ['shop'] }, 'addresses is invalid'],
    ['a short address', { name: 'x', addresses: ['127.1'] }, 'addresses is invalid'],
    ['a block too wide', { name: 'x', addresses: ['10.0.0.0/33'] }, 'addresses is invalid'],
    ['an unknown asset', { name: 'x', daily_limits: { gold: '1' } }, 'daily_limits.gold is invalid'],
    ['a limit in too small parts', { name: 'x', daily_limits: { pi: '0.12345678' } }, 'daily_limits.pi is'],
    ['a limit as a number', { name: 'x', daily_limits: { pi: 1 } }, 'daily_limits.pi is invalid'],
    [
      'an end that is past',
      { name: 'x', ends_at: '2020-01-01' },
      'ends_at is invalid: must be in the future',
    ],
    ['nothing to ask above', { name: 'x', asks_above: true }, 'asks_above is invalid: needs daily_limits'],
    ['limits as a list', { name: 'x', daily_limits: ['pi'] }, 'daily_limits is invalid'],
  ])('is not made with %s', async (_, body, message) => {
    const before = (await keys()).length;
    const answer = await owner('POST', `${console.test}/keys`, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
    expect((await keys()).length).toBe(before);
  });
});

describe('a key never moves money that its maker may not move:', () => {
  const body = (actions?: string[]) => ({ body: { name: 'Till', ...(actions && { actions }) } });
  const roll = { body: { overlap_days: 0 } };

  test.each([
    ['that funds users', ['read payments', 'fund users'], 'fund users'],
    ['that makes payouts', ['make payouts'], 'make payouts'],
    ['that makes refunds', ['make refunds'], 'make payouts'],
    ['for every call', undefined, 'fund users'],
  ])('a developer makes and rolls none %s, and finance does', async (_, actions, permission) => {
    const [developer, finance] = [await console.as('developer'), await console.as('finance')];
    const before = (await keys()).length;
    const refused = { error: 'role_may_not', message: `Your role may not ${permission}` };
    const answer = await developer('POST', `${console.test}/keys`, body(actions));
    expect([answer.status, answer.body]).toMatchObject([403, refused]);
    expect((await keys()).length).toBe(before);
    const made = await finance<{ id: string }>('POST', `${console.test}/keys`, body(actions));
    expect(made.status).toBe(200);
    const path = `${console.test}/keys/${made.body.data.id}`;
    expect((await developer('POST', `${path}/roll`, roll)).body).toMatchObject(refused);
    expect((await finance('POST', `${path}/roll`, roll)).status).toBe(200);
  });

  test('a developer makes and rolls no signing key', async () => {
    const developer = await console.as('developer');
    const refused = { error: 'role_may_not', message: 'Your role may not fund users' };
    expect((await developer('POST', `${console.live}/keys/signing`)).body).toMatchObject(refused);
    const { id } = (await keys()).find(({ signing }) => signing)!;
    expect((await developer('POST', `${console.test}/keys/${id}/roll`, roll)).body).toMatchObject(refused);
    expect((await keys()).find(({ signing }) => signing)).toMatchObject({ id, valid_until: null });
  });

  test('a developer makes, rolls and revokes keys that move none', async () => {
    const developer = await console.as('developer');
    const actions = ['create payments', 'read balances', 'manage webhooks', 'use test mode calls'];
    const made = await developer<{ id: string }>('POST', `${console.live}/keys`, body(actions));
    expect(made.status).toBe(200);
    const path = `${console.live}/keys/${made.body.data.id}`;
    const rolled = await developer<{ id: string }>('POST', `${path}/roll`, roll);
    expect(rolled.status).toBe(200);
    const successor = `${console.live}/keys/${rolled.body.data.id}`;
    expect((await developer('POST', `${successor}/revoke`)).status).toBe(200);
  });

  test('the dashboard is told which calls are withheld from whom', async () => {
    type Choices = { withheld: Record<string, string> };
    const withheldFrom = async (person: 'developer' | 'finance' | 'owner') =>
      (await (await console.as(person))<Choices>('GET', `${console.test}/keys/choices`)).body.data.withheld;
    expect(await withheldFrom('owner')).toEqual({});
    expect(await withheldFrom('finance')).toEqual({});
    expect(await withheldFrom('developer')).toEqual({
      'fund users': 'fund users',
      'make payouts': 'make payouts',
      'make refunds': 'make payouts',
    });
  });
});

describe('a signing key that is rolled', () => {
  test('works beside its successor during the overlap, and no longer after it, on every gateway', async () => {
    const old = (await keys()).find(({ signing }) => signing)!;
    const receiver = await openReceiver();
    await app.api('POST', '/webhook-endpoints', { body: { url: receiver.url } });
    const roll = { body: { overlap_days: 2 } };
    const rolled = await owner<{ secret_key: string; old_valid_until: string }>(
      'POST',
      `${console.test}/keys/${old.id}/roll`,
      roll,
    );
    const { secret_key: fresh, old_valid_until } = rolled.body.data;
    expect(Date.parse(old_valid_until) - now().getTime()).toBeGreaterThan(2 * 86_400_000 - 10_000);
    expect(await statuses(app.secretKey)).toEqual([200, 200]);
    expect(await statuses(fresh)).toEqual([200, 200]);
    expect((await keys()).find(({ signing }) => signing)).toMatchObject({ id: old.id });
    expect(await signerOf(receiver, [app.secretKey, fresh])).toBe(app.secretKey);
    expect((await owner('POST', `${console.test}/keys/switch-signing`)).status).toBe(200);
    expect(await signerOf(receiver, [app.secretKey, fresh])).toBe(fresh);
    expect((await keys()).find(({ signing }) => signing)).toMatchObject({
      kind: 'signing',
      valid_until: null,
    });

    expect((await owner('POST', `${console.test}/keys/${old.id}/roll`, roll)).body.error).toBe('key_ended');
    aheadSeconds = 2 * 86_400;
    expect(await statuses(app.secretKey)).toEqual([401, 401]);
    expect(await statuses(fresh)).toEqual([200, 200]);
    aheadSeconds = 0;
    await receiver.close();
  });

  test.each([[{}], [{ overlap_days: -1 }], [{ overlap_days: 7.5 }], [{ overlap_days: '1' }]])(
    'is not rolled with %j',
    async (body) => {
      const { id } = (await keys()).find(({ signing }) => signing)!;
      const answer = await owner('POST', `${console.test}/keys/${id}/roll`, { body });
      expect([answer.status, answer.body.error]).toEqual([400, 'field_invalid']);
    },
  );

  test('cannot be revoked, nor made twice', async () => {
    const { id } = (await keys()).find(({ signing }) => signing)!;
    expect((await owner('POST', `${console.test}/keys/${id}/revoke`)).body.error).toBe('key_signs');
    expect((await owner('POST', `${console.live}/keys/signing`)).body.error).toBe('signing_key_exists');
    expect((await owner('POST', `${console.live}/keys/switch-signing`)).body.error).toBe('no_roll');
  });
});

describe('the list of keys', () => {
  test('shows when and from where a key was last used', async () => {
    const { id, secret_key } = await make({ name: 'Used' });
    await statuses(secret_key);
    await expect
      .poll(async () => (await keys()).find((key) => key.id === id))
      .toMatchObject({ last_used_at: expect.any(String), last_used_from: '127.0.0.1' });
  });

  test('comes in pages', async () => {
    const first = await owner<{ items: Key[]; next_cursor: string }>('GET', `${console.test}/keys?limit=1`);
    const { next_cursor } = first.body.data;
    const second = await owner<{ items: Key[] }>('GET', `${console.test}/keys?limit=1&cursor=${next_cursor}`);
    expect(second.body.data.items[0]!.id < first.body.data.items[0]!.id).toBe(true);
    expect((await owner('GET', `${console.test}/keys?cursor=x`)).status).toBe(400);
  });

  test('does not reach the keys of another mode', async () => {
    const [test] = await keys();
    for (const path of [`${console.live}/keys/${test!.id}`, `${console.test}/keys/nonsense`]) {
      expect((await owner('POST', `${path}/revoke`)).status).toBe(404);
      expect((await owner('POST', `${path}/roll`, { body: { overlap_days: 0 } })).status).toBe(404);
    }
  });
});
