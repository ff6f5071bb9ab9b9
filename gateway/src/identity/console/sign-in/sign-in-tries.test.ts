import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { type TestClock, testClock } from '../../../../test/support/fixtures.ts';
import {
  type AccountServer,
  createVisitor,
  goodPassword,
  mailedToken,
  seedAccount,
  signedIn,
  startAccountServer,
  type Visitor,
  waitingMails,
} from '../../../../test/support/identity-fixtures.ts';
import { after } from '../../../kit/clock.ts';
import { forgetPlaces } from '../../accounts/known-places.ts';

const { db } = await testDatabase();
let server: AccountServer;
let clock: TestClock;
let account: { id: string; email: string };
beforeEach(async () => {
  await server?.close();
  clock = testClock();
  server = await startAccountServer(db, { rateLimit: true, now: clock.now });
  account = await seedAccount(db);
});

const at = (address: string, cookies: Visitor['cookies'] = new Map()): Visitor => {
  const visitor = createVisitor(server.url, { 'x-forwarded-for': address });
  for (const [name, value] of cookies) visitor.cookies.set(name, value);
  return visitor;
};
const signIn = (visitor: Visitor, password = goodPassword) =>
  visitor.send('POST', '/auth/sign-in', { email: account.email, password });

/** Strangers from many addresses fail until the account takes no more tries from unknown places. */
async function attack(): Promise<void> {
  const tries = Array.from({ length: 60 }, (_, index) => signIn(at(`198.51.100.${index}`), 'guess'));
  expect(new Set((await Promise.all(tries)).map(({ status }) => status))).toEqual(new Set([401]));
  expect(await signIn(at('198.51.100.99'), 'guess')).toMatchObject({ status: 429, error: 'rate_limited' });
}

describe('while strangers try to sign in to an account', () => {
  test('its owner signs in from a device that did so before, wherever it is', async () => {
    const device = await signedIn(server.url, account.email, { 'x-forwarded-for': '203.0.113.1' });
    await device.send('POST', '/auth/sign-out');
    expect([...device.cookies.keys()]).toEqual(['florin.device']);
    await attack();
    expect(await signIn(at('203.0.113.77', device.cookies))).toMatchObject({ status: 200 });
  });

  test('its owner signs in from an address that did so before, with another browser', async () => {
    await signedIn(server.url, account.email, { 'x-forwarded-for': '2001:db8::1' });
    await attack();
    expect(await signIn(at('2001:db8::2'))).toMatchObject({ status: 200 });
    expect(await signIn(at('2001:db8:0:1::1'))).toMatchObject({ status: 429 });
  });

  test('its owner signs in from a new device after a reset by mail', async () => {
    await attack();
    const device = at('203.0.113.5');
    expect(await signIn(device)).toMatchObject({ status: 429 });
    await device.send('POST', '/auth/password/forgotten', { email: account.email });
    const token = await mailedToken(db, account.email, 'reset-password');
    const body = { token, new_password: 'a wholly new password' };
    expect(await device.send('POST', '/auth/password/reset', body)).toMatchObject({ status: 200 });
    expect(await signIn(device, 'a wholly new password')).toMatchObject({ status: 200 });
  });

  test('its owner gets one mail a day', async () => {
    const warnings = async () =>
      (await waitingMails(db, account.email)).filter(({ subject }) => subject.startsWith('Many tries'));
    await attack();
    await signIn(at('198.51.100.98'), 'guess');
    expect(await warnings()).toHaveLength(1);
    clock.advance(24 * 3600);
    for (let index = 0; index < 60; index++) await signIn(at(`192.0.2.${index}`), 'guess');
    expect(await warnings()).toHaveLength(1);
    await signIn(at('192.0.2.99'), 'guess');
    expect(await warnings()).toHaveLength(2);
  });

  test('a device that only knows another account is a stranger', async () => {
    const other = await seedAccount(db);
    const device = await signedIn(server.url, other.email, { 'x-forwarded-for': '203.0.113.1' });
    await attack();
    expect(await signIn(at('203.0.113.77', device.cookies))).toMatchObject({ status: 429 });
  });

  test('a device with a cookie that nobody gave it is a stranger', async () => {
    await attack();
    const forged = new Map([
      ['florin.device', encodeURIComponent(`x.${Buffer.alloc(32).toString('base64')}`)],
    ]);
    expect(await signIn(at('203.0.113.77', forged))).toMatchObject({ status: 429 });
  });
});

test('a device is known by a hash of its cookie, for half a year after its last sign-in', async () => {
  const device = await signedIn(server.url, account.email, { 'x-forwarded-for': '203.0.113.1' });
  const cookie = decodeURIComponent(device.cookies.get('florin.device') ?? '').split('.')[0];
  const places = async () =>
    (await db.query<{ place: string }>('SELECT place FROM known_places WHERE owner = $1', [account.id])).rows;
  expect(await places()).toHaveLength(2);
  expect(JSON.stringify(await places())).not.toContain(cookie);
  await forgetPlaces(db, after(clock.now(), 179 * 24 * 3600));
  expect(await places()).toHaveLength(2);
  await forgetPlaces(db, after(clock.now(), 181 * 24 * 3600));
  expect(await places()).toHaveLength(0);
});

test('a reset of the password forgets every other device', async () => {
  const thief = await signedIn(server.url, account.email, { 'x-forwarded-for': '203.0.113.1' });
  const owner = at('203.0.113.5');
  await owner.send('POST', '/auth/password/forgotten', { email: account.email });
  const token = await mailedToken(db, account.email, 'reset-password');
  await owner.send('POST', '/auth/password/reset', { token, new_password: 'a wholly new password' });
  await attack();
  expect(await signIn(at('203.0.113.77', thief.cookies))).toMatchObject({ status: 429 });
});
