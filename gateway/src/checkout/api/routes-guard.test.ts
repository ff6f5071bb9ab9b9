import { expect, test } from 'vitest';
import { type CreatedPayment, submitForm } from '../../../test/support/api.ts';
import { seedUser } from '../../../test/support/fixtures.ts';
import { type RunningApp, startApp } from '../../../test/support/running.ts';

const password = 'correct horse battery staple';

async function createPayment({ api }: RunningApp): Promise<string> {
  const body = { amount: 25, currency: 'USDC', payment_type: 'deposit' };
  return (await api<CreatedPayment>('PUT', '/payment/create', { body })).body.data.PaymentURL;
}

/** Tries to sign in; returns the notice that the page will show. */
async function signIn(
  page: string,
  username: string,
  secret: string,
  address: string,
): Promise<string | null> {
  const fields = { username, password: secret };
  const response = await submitForm(page, 'wallet', fields, { 'x-forwarded-for': address });
  expect(response.status).toBe(303);
  return new URL(response.headers.get('location')!, page).searchParams.get('notice');
}

const tries = Array.from({ length: 10 }, (_, index) => index);

test('sign-in is limited to ten failures of an address, and strangers keep no user from a device that paid before', async () => {
  const app = await startApp({ env: { RATE_LIMIT: '1', TRUST_PROXY: '1' } });
  await seedUser(app.db, 'ada', password);
  const page = await createPayment(app);
  const paid = await submitForm(
    page,
    'wallet',
    { username: 'ada', password },
    { 'x-forwarded-for': '192.0.2.1' },
  );
  const cookie = paid.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  expect(cookie).toMatch(/^florin-pay\.device=/);

  const byAddress = tries.map((index) => signIn(page, `user ${index}`, 'guess', '203.0.113.1'));
  expect(new Set(await Promise.all(byAddress))).toEqual(new Set(['wrong_password']));
  expect(await signIn(page, 'user 11', 'guess', '203.0.113.1')).toBe('too_many_requests');

  // More than the account takes at once from places that it does not know.
  const strangers = Array.from({ length: 65 }, (_, index) => `198.51.100.${index}`);
  await Promise.all(strangers.map((address) => signIn(page, 'ada', 'guess', address)));
  expect(await signIn(page, 'ada', password, '198.51.100.200')).toBe('too_many_requests');
  expect(await signIn(page, 'bob', 'guess', '198.51.100.200')).toBe('wrong_password');
  const known = [
    ['198.51.100.201', cookie],
    ['192.0.2.1', ''],
  ] as const;
  for (const [address, own] of known) {
    const headers = { 'x-forwarded-for': address, cookie: own };
    const answer = await submitForm(page, 'wallet', { username: 'ada', password }, headers);
    const notice = new URL(answer.headers.get('location')!, page).searchParams.get('notice');
    // The wallet is empty: what counts is that the password was taken.
    expect(notice).not.toBe('too_many_requests');
  }
});

test('tries to sign in to a wallet take none from the dashboard, whatever the names and addresses', async () => {
  const app = await startApp({ env: { RATE_LIMIT: '1', TRUST_PROXY: '1' } });
  const page = await createPayment(app);
  const email = 'owner@example.com';
  for (const _ of tries) await signIn(page, email, 'guess', '203.0.113.1');
  expect(await signIn(page, email, 'guess', '203.0.113.1')).toBe('too_many_requests');
  const answer = await fetch(new URL('/console/auth/sign-in', app.baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.1' },
    body: JSON.stringify({ email, password: 'guess' }),
  });
  expect(answer.status).toBe(401);
});

test('messages of an appeal are limited, for the address and for the payment', async () => {
  const app = await startApp({ env: { RATE_LIMIT: '1', TRUST_PROXY: '1' } });
  const page = await createPayment(app);
  await submitForm(page, 'simulate', { outcome: 'dispute' });
  const say = async (address: string) => {
    const response = await submitForm(page, 'message', { text: 'Hello?' }, { 'x-forwarded-for': address });
    return new URL(response.headers.get('location')!, page).searchParams.get('notice');
  };
  for (let n = 0; n < 10; n++) expect(await say(`198.51.100.${n}`)).toBe('message_sent');
  expect(await say('198.51.100.11')).toBe('too_many_requests');
});

test('a password is not taken from a frame, whatever site it is in', async () => {
  const app = await startApp();
  await seedUser(app.db, 'ada', password);
  const page = await createPayment(app);
  const frames = [{ 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }, { 'x-framed': '1' }];
  for (const headers of frames) {
    const answer = await submitForm(page, 'wallet', { username: 'ada', password }, headers);
    expect([answer.status, await answer.json()]).toMatchObject([403, { error: 'foreign_form' }]);
    const shown = await (await fetch(page, { headers })).text();
    expect(shown).not.toContain('value="wallet"');
  }
  expect(await (await fetch(page)).text()).toContain('value="wallet"');
});
