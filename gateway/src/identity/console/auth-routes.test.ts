import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  createVisitor,
  goodPassword,
  mailedToken,
  seedAccount,
  signedIn,
  startAccountServer,
  type Visitor,
  waitingMails,
} from '../../../test/support/identity-fixtures.ts';
import { auditEntries } from '../audit/audit-log.ts';

const { db } = await testDatabase();
const server = await startAccountServer(db);
let visitor: Visitor;
beforeEach(() => {
  visitor = createVisitor(server.url);
});

const whoAmI = async (who: Visitor): Promise<number> => (await who.get('/account/sessions')).status;

async function actionsOf(accountId: string): Promise<string[]> {
  const entries = await auditEntries(
    db,
    { subject: { kind: 'account', id: accountId } },
    { before: null, limit: 50 },
  );
  return entries.map(({ action }) => action).reverse();
}

describe('signing up', () => {
  const ada = { name: 'Ada Lovelace', email: 'Ada@Example.com', password: goodPassword };

  test('signs in at once, keeps the password as argon2id, and mails a link that confirms the address', async () => {
    expect(await visitor.send('POST', '/auth/sign-up', ada)).toMatchObject({
      status: 200,
      message: 'Account created',
    });
    expect(await whoAmI(visitor)).toBe(200);
    const { rows } = await db.query(
      `SELECT a.id, a.email, a.name, a.email_verified, a.is_operator, c.password_hash
       FROM accounts a JOIN credentials c ON c.account_id = a.id WHERE a.email = 'ada@example.com'`,
    );
    expect(rows[0]).toMatchObject({ name: 'Ada Lovelace', email_verified: false, is_operator: false });
    expect(rows[0]!.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);

    expect((await waitingMails(db, 'ada@example.com'))[0]).toMatchObject({
      subject: 'Confirm your e-mail address',
    });
    const token = await mailedToken(db, 'ada@example.com', 'verify-email');
    expect(await createVisitor(server.url).send('POST', '/auth/email/confirm', { token })).toMatchObject({
      status: 200,
      data: { email: 'ada@example.com' },
    });
    const verified = await db.query(`SELECT email_verified FROM accounts WHERE email = 'ada@example.com'`);
    expect(verified.rows[0]!.email_verified).toBe(true);
    expect(await actionsOf(rows[0]!.id)).toEqual(['signed up', 'confirmed the e-mail address']);
  });

  test('with a taken address is refused, and changes nothing', async () => {
    const { email } = await seedAccount(db);
    const body = { ...ada, email: email.toUpperCase(), password: 'another good password' };
    expect(await visitor.send('POST', '/auth/sign-up', body)).toMatchObject({
      status: 409,
      error: 'address_taken',
    });
    expect(await waitingMails(db, email)).toEqual([]);
    expect(visitor.cookies.size).toBe(0);
    await signedIn(server.url, email);
  });

  test('twice at the same moment makes one account', async () => {
    const body = { ...ada, email: 'twice@example.com' };
    const answers = await Promise.all([1, 2, 3].map(() => visitor.send('POST', '/auth/sign-up', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await waitingMails(db, 'twice@example.com')).toHaveLength(1);
  });

  test.each([
    [{ password: 'eleven char' }, 'password_too_short'],
    [{ password: 'with       spaces' }, 'password_too_short'],
    [{ password: '🐢🍵🚲🌙🎻🧦' }, 'password_too_short'],
    [{ password: 'password1234' }, 'password_common'],
    [{ password: 'x'.repeat(129) }, 'password_too_long'],
    [{ password: 12345678901 }, 'field_invalid'],
    [{ email: 'ada' }, 'field_invalid'],
    [{ email: 'ada@localhost' }, 'field_invalid'],
    [{ name: '' }, 'field_invalid'],
    [{ name: 'a\0b' }, 'field_invalid'],
  ])('refuses %j', async (change, error) => {
    const body = { ...ada, email: 'grace@example.com', ...change };
    expect(await visitor.send('POST', '/auth/sign-up', body)).toMatchObject({ status: 400, error });
  });

  test('makes nobody an operator', async () => {
    const body = { ...ada, email: 'climber@example.com', is_operator: true, isOperator: true };
    expect((await visitor.send('POST', '/auth/sign-up', body)).status).toBe(200);
    const { rows } = await db.query(`SELECT is_operator FROM accounts WHERE email = 'climber@example.com'`);
    expect(rows[0]!.is_operator).toBe(false);
  });
});

describe('signing in', () => {
  test('takes the address in any case, and no other password', async () => {
    const { id, email } = await seedAccount(db);
    const wrong = await visitor.send('POST', '/auth/sign-in', { email, password: 'wrong' });
    expect(wrong).toMatchObject({ status: 401, error: 'sign_in_wrong', data: null });
    const right = { email: email.toUpperCase(), password: goodPassword };
    expect(await visitor.send('POST', '/auth/sign-in', right)).toMatchObject({
      status: 200,
      data: { two_factor_needed: false },
    });
    expect(await actionsOf(id)).toEqual(['signed in']);
  });

  test('by a short or common password, of a time when such ones were taken, is by another one that is chosen now', async () => {
    const { email } = await seedAccount(db, { password: 'password1234' });
    const who = createVisitor(server.url);
    const answer = await who.send('POST', '/auth/sign-in', { email, password: 'password1234' });
    expect(answer).toMatchObject({ status: 200, data: { reset_token: expect.any(String) } });
    expect(await whoAmI(who)).toBe(401);
    const chosen = { token: answer.data!.reset_token, new_password: 'a wholly new password' };
    expect(await who.send('POST', '/auth/password/reset', chosen)).toMatchObject({ status: 200 });
    const again = await who.send('POST', '/auth/sign-in', { email, password: 'a wholly new password' });
    expect(again).toMatchObject({ data: { two_factor_needed: false, reset_token: null } });
    expect(await whoAmI(who)).toBe(200);
    const short = await seedAccount(db, { password: 'ten letter' });
    expect(
      await who.send('POST', '/auth/sign-in', { email: short.email, password: 'ten letter' }),
    ).toMatchObject({ data: { reset_token: expect.any(String) } });
  });

  test('by a password that somebody else gave is by another one that is chosen now, and by none after its time', async () => {
    const tomorrow = new Date(Date.now() + 24 * 3600_000);
    const { id, email } = await seedAccount(db, { passwordGivenUntil: tomorrow });
    const who = createVisitor(server.url);
    const first = await who.send('POST', '/auth/sign-in', { email, password: goodPassword });
    const chosen = { token: first.data!.reset_token, new_password: 'a wholly new password' };
    expect(await whoAmI(who)).toBe(401);
    expect(await who.send('POST', '/auth/password/reset', chosen)).toMatchObject({ status: 200 });
    await who.send('POST', '/auth/sign-in', { email, password: 'a wholly new password' });
    expect(await whoAmI(who)).toBe(200);
    await db.query('UPDATE credentials SET given_until = now() WHERE account_id = $1', [id]);
    const late = { email, password: 'a wholly new password' };
    expect(await who.send('POST', '/auth/sign-in', late)).toMatchObject({ error: 'sign_in_wrong' });
  });

  test.each([{ email: 'nobody@example.com' }, { email: 'no address' }])(
    'with an unknown address (%j) looks like a wrong password',
    async ({ email }) => {
      const answer = await visitor.send('POST', '/auth/sign-in', { email, password: goodPassword });
      expect(answer).toMatchObject({ status: 401, error: 'sign_in_wrong' });
    },
  );

  test('gives a cookie that scripts and other sites do not get, and whose token is nowhere in the database', async () => {
    const { email } = await seedAccount(db);
    const { headers, data } = await visitor.send('POST', '/auth/sign-in', { email, password: goodPassword });
    const [cookie = ''] = headers.getSetCookie();
    const attributes = cookie.split('; ').slice(1);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/console', 'SameSite=Lax']);
    const token = decodeURIComponent(cookie.split('=')[1]!).split('.')[0]!;
    expect(JSON.stringify(data)).not.toContain(token);
    const { rows } = await db.query('SELECT token FROM sessions');
    const kept = rows.map((row) => row.token);
    expect(kept).not.toContain(token);
    expect(kept).toContain(createHash('sha256').update(token).digest('base64url'));
  });

  test('from another machine gives a cookie only for https', async () => {
    const remote = await startAccountServer(db, { baseUrl: 'https://pay.example' });
    const { email } = await seedAccount(db);
    const origin = { origin: 'https://pay.example' };
    const body = { email, password: goodPassword };
    const { headers } = await createVisitor(remote.url, origin).send('POST', '/auth/sign-in', body);
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-florin\.session_token=.*; Path=\/; .*Secure/);
    expect(remote.log()).toBe('');
    await remote.close();
  });

  test('does not follow from a cookie whose signature or token was changed', async () => {
    const { email } = await seedAccount(db);
    const who = await signedIn(server.url, email);
    const name = 'florin.session_token';
    const value = who.cookies.get(name)!;
    for (const forged of [`x${value}`, value.slice(0, 32), `${value.slice(0, -6)}AAA%3D`, '%', '']) {
      who.cookies.set(name, forged);
      expect(await whoAmI(who)).toBe(401);
    }
    who.cookies.set(name, value);
    expect(await whoAmI(who)).toBe(200);
  });

  test('anew ends the session that this browser had', async () => {
    const { id, email } = await seedAccount(db);
    const who = await signedIn(server.url, email);
    await who.send('POST', '/auth/sign-in', { email, password: goodPassword });
    const { rows } = await db.query('SELECT id FROM sessions WHERE account_id = $1', [id]);
    expect(rows).toHaveLength(1);
    expect(await whoAmI(who)).toBe(200);
  });

  test('out ends the session, for a copy of the cookie too', async () => {
    const { id, email } = await seedAccount(db);
    const who = await signedIn(server.url, email);
    const thief = createVisitor(server.url);
    for (const [name, value] of who.cookies) thief.cookies.set(name, value);
    expect(await who.send('POST', '/auth/sign-out')).toMatchObject({ status: 200, message: 'Signed out' });
    // The device stays known: strangers who fail do not keep its owner out.
    expect([...who.cookies.keys()]).toEqual(['florin.device']);
    expect(await whoAmI(thief)).toBe(401);
    expect((await who.send('POST', '/auth/sign-out')).status).toBe(200);
    expect(await actionsOf(id)).toEqual(['signed in', 'signed out']);
  });
});

describe('a call that another site makes', () => {
  test.each([{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])(
    'with %j is refused',
    async (headers) => {
      const { email } = await seedAccount(db);
      const body = { email, password: goodPassword };
      const answer = await visitor.send('POST', '/auth/sign-in', body, headers as Record<string, string>);
      expect(answer).toMatchObject({ status: 403, error: 'foreign_form' });
      const who = await signedIn(server.url, email);
      const change = await who.send(
        'POST',
        '/account/name',
        { name: 'X' },
        headers as Record<string, string>,
      );
      expect(change).toMatchObject({ status: 403, error: 'foreign_form' });
    },
  );
});

test('a name that only the Host header says is ours is foreign, as whoever owns it can let it lead here', async () => {
  const { email } = await seedAccount(db);
  const { port, hostname } = new URL(server.url);
  const statusFrom = async (name: string) => {
    const headers = {
      host: `${name}:${port}`,
      origin: `http://${name}:${port}`,
      'sec-fetch-site': 'same-origin',
    };
    const call = request({
      method: 'POST',
      hostname,
      port,
      path: '/console/auth/sign-in',
      headers: { ...headers, 'content-type': 'application/json' },
    });
    call.end(JSON.stringify({ email, password: goodPassword }));
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  expect(await statusFrom('evil.example')).toBe(403);
  for (const name of ['localhost', '127.0.0.1', '[::1]']) expect(await statusFrom(name)).toBe(200);
});

test("better-auth's own routes do not exist", async () => {
  for (const path of [
    '/auth/sign-in/email',
    '/auth/sign-up/email',
    '/auth/update-user',
    '/auth/delete-user',
  ]) {
    expect((await visitor.send('POST', path, {})).status).toBe(404);
  }
  expect((await visitor.get('/auth/get-session')).status).toBe(404);
});
