import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  ageSessions,
  createVisitor,
  goodPassword,
  seedAccount,
  signedIn,
  startAccountServer,
  type Visitor,
  waitingMails,
} from '../../../test/support/identity-fixtures.ts';
import { forgetSessions } from '../accounts/sessions.ts';

const { db } = await testDatabase();
const server = await startAccountServer(db);
let account: { id: string; email: string };
let who: Visitor;
beforeEach(async () => {
  account = await seedAccount(db);
  who = await signedIn(server.url, account.email);
});

type Listed = { id: string; current: boolean; address: string; user_agent: string };
async function sessionsOf(visitor: Visitor): Promise<Listed[]> {
  return (await visitor.get('/account/sessions')).data!.items as Listed[];
}

const minutes = 60;

describe('a session', () => {
  test('is listed with its address and browser, and its owner can end it', async () => {
    const phone = await signedIn(server.url, account.email, {
      'user-agent': 'Phone',
      'x-forwarded-for': '203.0.113.7',
    });
    const [newest, oldest] = await sessionsOf(who);
    expect(newest).toMatchObject({ current: false, address: '203.0.113.7', user_agent: 'Phone' });
    expect(oldest).toMatchObject({ current: true, address: '127.0.0.1' });
    expect(await who.send('DELETE', `/account/sessions/${newest!.id}`)).toMatchObject({ status: 200 });
    expect((await phone.get('/account/sessions')).status).toBe(401);
    expect(await sessionsOf(who)).toHaveLength(1);
  });

  test('of another account can only be ended by its owner', async () => {
    const stranger = await signedIn(server.url, (await seedAccount(db)).email);
    const [{ id } = { id: '' }] = await sessionsOf(who);
    expect(await stranger.send('DELETE', `/account/sessions/${id}`)).toMatchObject({ status: 404 });
    expect((await stranger.send('DELETE', '/account/sessions/x')).status).toBe(404);
    expect(await sessionsOf(who)).toHaveLength(1);
  });

  test('stays when all others are ended', async () => {
    const others = [await signedIn(server.url, account.email), await signedIn(server.url, account.email)];
    expect(await who.send('POST', '/account/sessions/end-others')).toMatchObject({ data: { ended: 2 } });
    expect(
      await Promise.all(others.map(async (other) => (await other.get('/account/sessions')).status)),
    ).toEqual([401, 401]);
    expect(await sessionsOf(who)).toHaveLength(1);
  });

  test('lives for 12 hours when it is used every half hour, and no longer', async () => {
    for (let half = 0; half < 24; half++) {
      expect((await who.get('/account/sessions')).status).toBe(200);
      await ageSessions(db, account.id, 30 * minutes - 1);
    }
    expect((await who.get('/account/sessions')).status).toBe(200);
    await ageSessions(db, account.id, minutes);
    expect((await who.get('/account/sessions')).status).toBe(401);
    await forgetSessions(db, new Date());
    const { rows } = await db.query('SELECT FROM sessions WHERE account_id = $1', [account.id]);
    expect(rows).toEqual([]);
  });

  test('ends after 30 minutes without use, for every call', async () => {
    await ageSessions(db, account.id, 30 * minutes);
    for (const path of ['/account/sessions', '/account/passkeys']) {
      expect(await who.get(path)).toMatchObject({ status: 401, error: 'not_signed_in' });
    }
    const body = { current_password: goodPassword, new_password: 'a wholly new password' };
    expect(await who.send('POST', '/account/password', body)).toMatchObject({ status: 401 });
  });
});

describe('a sensitive call', () => {
  const calls: [string, string, object][] = [
    ['POST', '/account/email', { email: 'else@example.com' }],
    ['POST', '/account/password', { current_password: goodPassword, new_password: 'a wholly new password' }],
    ['POST', '/account/two-factor', { password: goodPassword }],
    ['POST', '/account/two-factor/confirm', { code: '123456' }],
    ['POST', '/account/two-factor/off', { password: goodPassword }],
    ['POST', '/account/two-factor/recovery-codes', { password: goodPassword }],
    ['POST', '/account/passkeys/options', {}],
    ['POST', '/account/passkeys', {}],
    ['DELETE', '/account/passkeys/019aa1d2-0000-7000-8000-000000000000', {}],
  ];

  test.each(calls)('needs a fresh sign-in: %s %s', async (method, path, body) => {
    await ageSessions(db, account.id, 11 * 60);
    expect(await who.send(method, path, body)).toMatchObject({ status: 403, error: 'fresh_sign_in' });
  });

  test('is allowed again after a confirmation by the password', async () => {
    await ageSessions(db, account.id, 11 * 60);
    expect(await who.send('POST', '/account/confirm', { password: 'wrong' })).toMatchObject({
      status: 403,
      error: 'password_wrong',
    });
    expect(await who.send('POST', '/account/confirm', {})).toMatchObject({ error: 'password_wrong' });
    expect(await who.send('POST', '/account/passkeys/options')).toMatchObject({ error: 'fresh_sign_in' });
    expect(await who.send('POST', '/account/confirm', { password: goodPassword })).toMatchObject({
      status: 200,
    });
    expect(await who.send('POST', '/account/passkeys/options')).toMatchObject({ status: 200 });
  });
});

describe('the password', () => {
  const change = (current: string, next = 'a wholly new password') =>
    who.send('POST', '/account/password', { current_password: current, new_password: next });

  test('changes with the old one, ends every other session, and the owner gets a mail', async () => {
    const elsewhere = await signedIn(server.url, account.email);
    expect(await change(goodPassword)).toMatchObject({ status: 200 });
    expect((await who.get('/account/sessions')).status).toBe(200);
    expect((await elsewhere.get('/account/sessions')).status).toBe(401);
    const again = { email: account.email, password: 'a wholly new password' };
    expect((await createVisitor(server.url).send('POST', '/auth/sign-in', again)).status).toBe(200);
    const subject = 'For your account the password was changed';
    const warning = (await waitingMails(db, account.email)).find((mail) => mail.subject === subject);
    expect(warning!.source).toContain('127.0.0.1');
  });

  test('stays as it is without the old one, or when the new one is short or common', async () => {
    expect(await change('wrong')).toMatchObject({ status: 403, error: 'password_wrong' });
    expect(await change(goodPassword, 'short')).toMatchObject({ status: 400, error: 'password_too_short' });
    expect(await change(goodPassword, 'P@ssw0rd1234')).toMatchObject({
      status: 400,
      error: 'password_common',
    });
    expect(await waitingMails(db, account.email)).toEqual([]);
    await signedIn(server.url, account.email);
  });
});

test('wrong tries of strangers take none from the owner who is signed in, and a session has tries of its own', async () => {
  // The clock stands still: on a busy machine these calls take longer than a second.
  const start = new Date();
  const limited = await startAccountServer(db, {
    rateLimit: true,
    baseUrl: server.url,
    now: () => start,
  });
  const at = (address: string, cookies?: Visitor['cookies']) => {
    const visitor = createVisitor(limited.url, { 'x-forwarded-for': address, origin: server.url });
    for (const [name, value] of cookies ?? []) visitor.cookies.set(name, value);
    return visitor;
  };
  const tries = Array.from({ length: 12 }, (_, index) => index);
  const wrong = { email: account.email, password: 'wrong password' };
  // The strangers share the owner's address, too.
  for (const index of tries) await at(`198.51.100.${index}`).send('POST', '/auth/sign-in', wrong);
  for (const _ of tries) await at('203.0.113.7').send('POST', '/auth/sign-in', wrong);
  expect(await at('203.0.113.7').send('POST', '/auth/sign-in', wrong)).toMatchObject({ status: 429 });
  const other = await signedIn(server.url, account.email);
  const owner = at('203.0.113.7', who.cookies);
  const confirm = (visitor: Visitor, password = goodPassword) =>
    visitor.send('POST', '/account/confirm', { password });
  expect(await confirm(owner)).toMatchObject({ status: 200 });
  const thief = at('203.0.113.8', other.cookies);
  const guesses = [];
  for (const _ of tries) guesses.push((await confirm(thief, 'wrong')).status);
  expect(guesses).toEqual([...Array(10).fill(403), 429, 429]);
  expect(await confirm(owner)).toMatchObject({ status: 200 });
  const passwords = { current_password: goodPassword, new_password: 'a wholly new password' };
  expect(await owner.send('POST', '/account/password', passwords)).toMatchObject({ status: 200 });
  await limited.close();
});

test('the name changes, and nothing else', async () => {
  const body = { name: 'Grace', email: 'x@example.com', is_operator: true };
  expect(await who.send('POST', '/account/name', body)).toMatchObject({ data: { name: 'Grace' } });
  const { rows } = await db.query('SELECT name, email, is_operator FROM accounts WHERE id = $1', [
    account.id,
  ]);
  expect(rows[0]).toEqual({ name: 'Grace', email: account.email, is_operator: false });
});
