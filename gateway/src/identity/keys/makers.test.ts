import { beforeEach, expect, test } from 'vitest';
import { type Api, createApi } from '../../../test/support/api.ts';
import { openConsole } from '../../../test/support/console.ts';
import { seedBalance, seedUser } from '../../../test/support/fixtures.ts';
import { startApp } from '../../../test/support/running.ts';

const asset = 'usdc-erc20';
let finance: Api;

const app = await startApp();
const people = await openConsole(app);
const owner = await people.as('owner');
await seedUser(app.db, 'jane_doe');
const business = { kind: 'business', owner: app.integrationId, mode: 'test' } as const;
await seedBalance(app.db, { ...business, asset, units: 100_000_000n });

beforeEach(async () => {
  await people.renew('finance');
  finance = await people.as('finance');
});

const memberPath = () => `${people.merchant}/members/${people.accountId('finance')}`;
const demote = (role: string) => owner('PATCH', memberPath(), { body: { role } });

const payout = { asset, amount: '1', to: `0x${'ab'.repeat(20)}` };
const funding = { username: 'jane_doe', amount: 1, currency: asset };

/** What the calls that move money, and one that moves none, say to a key. */
async function answersTo(secret: string): Promise<Record<string, string>> {
  const api = createApi(app.baseUrl, secret);
  const said = async (...call: Parameters<Api>) => (await api(...call)).body.message;
  return {
    payout: await said('POST', '/payouts', { body: payout }),
    refund: await said('POST', '/payments/NONE/refunds', { body: {} }),
    funding: await said('POST', '/payment/fund-user', { body: funding }),
    create: await said('PUT', '/payment/create', {
      body: { amount: 20, currency: 'USDC', payment_type: 'deposit' },
    }),
  };
}

const mayAll = {
  payout: 'Payout created',
  refund: 'Payment information not found',
  funding: 'User wallet funded successfully',
  create: 'Payment created',
};
const movesNothing = {
  payout: 'This key may not make payouts',
  refund: 'This key may not make refunds',
  funding: 'This key may not fund users',
  create: 'Payment created',
};

async function keyOf(client: Api): Promise<string> {
  const actions = ['make payouts', 'make refunds', 'fund users', 'create payments'];
  const made = await client<{ secret_key: string }>('POST', `${people.test}/keys`, {
    body: { name: 'till', actions },
  });
  return made.body.data.secret_key;
}

test('a key moves money while its maker may, and again once they may again', async () => {
  const secret = await keyOf(finance);
  expect(await answersTo(secret)).toEqual(mayAll);
  await demote('support');
  expect(await answersTo(secret)).toEqual(movesNothing);
  await demote('owner');
  expect(await answersTo(secret)).toEqual(mayAll);
});

test.each<[string, () => Promise<unknown>]>([
  ['was removed', () => owner('DELETE', memberPath())],
  ['left', () => finance('DELETE', `/console/account/merchants/${people.merchantId}`)],
  ['closed their account', () => finance('DELETE', '/console/account')],
])('a key whose maker %s moves no money', async (_, leave) => {
  const secret = await keyOf(finance);
  await leave();
  const { rowCount } = await app.db.query('SELECT FROM members WHERE account_id = $1', [
    people.accountId('finance'),
  ]);
  expect(rowCount).toBe(0);
  expect(await answersTo(secret)).toEqual(movesNothing);
});

test('a key that somebody else rolled moves money by their rights', async () => {
  await keyOf(finance);
  const { body } = await owner<{ items: { id: string; name: string }[] }>('GET', `${people.test}/keys`);
  const key = body.data.items.find(({ name }) => name === 'till')!;
  const rolled = await owner<{ secret_key: string }>('POST', `${people.test}/keys/${key.id}/roll`, {
    body: { overlap_days: 0 },
  });
  await owner('DELETE', memberPath());
  expect(await answersTo(rolled.body.data.secret_key)).toEqual(mayAll);
});

test('a signing key that a member rolled funds nobody once they are gone, and takes payments as before', async () => {
  const { body } = await owner<{ items: { id: string; signing: boolean }[] }>('GET', `${people.test}/keys`);
  const signing = body.data.items.find((each) => each.signing)!;
  const rolled = await finance<{ secret_key: string }>('POST', `${people.test}/keys/${signing.id}/roll`, {
    body: { overlap_days: 0 },
  });
  const secret = rolled.body.data.secret_key;
  expect(await answersTo(secret)).toMatchObject({ funding: mayAll.funding, create: mayAll.create });
  await owner('DELETE', memberPath());
  expect(await answersTo(secret)).toEqual(movesNothing);
});
