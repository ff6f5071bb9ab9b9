import { beforeEach, describe, expect, test } from 'vitest';
import { totpCode } from '../../../test/browser/totp.ts';
import { testDatabase } from '../../../test/support/database.ts';
import {
  ageSessions,
  createVisitor,
  goodPassword,
  mailedToken,
  seedAccount,
  signedIn,
  startAccountServer,
  type Visitor,
} from '../../../test/support/identity-fixtures.ts';
import { after } from '../../kit/clock.ts';

// A request with the cookies of two people must never be answered for both.

const session = 'florin.session_token';
const twoFactor = 'florin.two_factor';
const refused = { status: 401, error: 'cookies_refused' };

type Person = { id: string; email: string; browser: Visitor };

const { db } = await testDatabase();
const server = await startAccountServer(db);
let attacker: Person;
let victim: Person;
beforeEach(async () => {
  [attacker, victim] = await Promise.all([seedPerson(), seedPerson()]);
});

async function seedPerson(): Promise<Person> {
  const account = await seedAccount(db);
  return { ...account, browser: await signedIn(server.url, account.email) };
}

/** Turns two-factor sign-in on; returns the code of the next half minute, which is not used yet. */
async function enrol({ browser }: Person): Promise<string> {
  const { data } = await browser.send('POST', '/account/two-factor', { password: goodPassword });
  const uri = `${data?.totp_uri}`;
  await browser.send('POST', '/account/two-factor/confirm', { code: totpCode(uri) });
  return totpCode(uri, after(new Date(), 30));
}

/** A browser after the right password, before the code. */
async function halfSignedIn({ email }: Person): Promise<Visitor> {
  const browser = createVisitor(server.url);
  await browser.send('POST', '/auth/sign-in', { email, password: goodPassword });
  return browser;
}

/** A browser with exactly these cookies, in this order; a name may end with a space. */
function withCookies(...cookies: [name: string, value: string | undefined][]): Visitor {
  const browser = createVisitor(server.url);
  for (const [name, value] of cookies) browser.cookies.set(name, `${value}`);
  return browser;
}

const cookieOf = ({ cookies }: Visitor, name: string): string => cookies.get(name) ?? '';

const emailOf = async ({ id }: Person): Promise<string> =>
  (await db.query('SELECT email FROM accounts WHERE id = $1', [id])).rows[0]?.email;

/** A link to the attacker's mailbox for a changed address of the victim. */
async function linkOfVictim(): Promise<{ token: string; wanted: string }> {
  const wanted = `attacker-${victim.email}`;
  await victim.browser.send('POST', '/account/email', { email: wanted });
  return { token: await mailedToken(db, wanted, 'verify-email'), wanted };
}

describe('a link for a changed address', () => {
  test.each([
    ['without the end of its signature', (value: string) => value.replace(/%3D$/, '')],
    [
      'with its signature in another alphabet',
      (value: string) => value.replace(/%2B/g, '-').replace(/%2F/g, '_').replace(/%3D$/, ''),
    ],
    ['with more behind its signature', (value: string) => `${value}%3D`],
    ['whole', (value: string) => value],
  ])('does not sign anybody in by the session cookie of somebody else, %s', async (_, change) => {
    const { token } = await linkOfVictim();
    const own = cookieOf(attacker.browser, session);
    const browser = withCookies([session, change(own)]);
    const answer = await browser.send('POST', '/auth/email/confirm', { token });
    expect([400, 401]).toContain(answer.status);
    const given = answer.headers.getSetCookie().filter((line) => !line.includes('Max-Age=0'));
    expect(given).toEqual([]);
    expect(await emailOf(victim)).toBe(victim.email);
  });

  test('is confirmed by its owner, whose session does not change', async () => {
    const { token, wanted } = await linkOfVictim();
    const before = cookieOf(victim.browser, session);
    const answer = await victim.browser.send('POST', '/auth/email/confirm', { token });
    expect(answer).toMatchObject({ status: 200, data: { email: wanted } });
    expect(cookieOf(victim.browser, session)).toBe(before);
    expect(await emailOf(victim)).toBe(wanted);
  });
});

describe('the second step of a sign-in', () => {
  test('counts attempts for the same person that it signs in', async () => {
    const code = await enrol(victim);
    await enrol(attacker);
    const [halfVictim, halfAttacker] = [await halfSignedIn(victim), await halfSignedIn(attacker)];
    const browser = withCookies(
      [`${twoFactor} `, cookieOf(halfVictim, twoFactor)],
      [twoFactor, cookieOf(halfAttacker, twoFactor)],
    );
    const answer = await browser.send('POST', '/auth/sign-in/code', { code });
    expect(answer).toMatchObject(refused);
    expect(browser.cookies.has(session)).toBe(false);
  });
});

describe('a session', () => {
  test('is not made fresh by the code of somebody else', async () => {
    await enrol(victim);
    const code = await enrol(attacker);
    await ageSessions(db, victim.id, 1500);
    const browser = withCookies(
      [`${session} `, cookieOf(attacker.browser, session)],
      [session, cookieOf(victim.browser, session)],
    );
    expect(await browser.send('POST', '/account/confirm', { code })).toMatchObject(refused);
    const change = { email: `attacker-${victim.email}` };
    expect(await victim.browser.send('POST', '/account/email', change)).toMatchObject({
      status: 403,
      error: 'fresh_sign_in',
    });
  });

  test('that is not fresh stays so beside a fresh one of somebody else', async () => {
    await ageSessions(db, victim.id, 1500);
    const browser = withCookies(
      [`${session} `, cookieOf(victim.browser, session)],
      [session, cookieOf(attacker.browser, session)],
    );
    const wanted = `attacker-${victim.email}`;
    expect(await browser.send('POST', '/account/email', { email: wanted })).toMatchObject(refused);
    await expect(mailedToken(db, wanted, 'verify-email')).rejects.toThrow('No mail');
  });

  test('that is doubled or malformed is refused, and the refusal expires all our cookies', async () => {
    const value = cookieOf(attacker.browser, session);
    for (const cookies of [
      [
        [session, value],
        [` ${session}`, value],
      ],
      [[`${session} `, value]],
      [[session, `"${value}"`]],
      [[session, 'nonsense']],
      [[session, '%zz']],
    ] as [string, string][][]) {
      const answer = await withCookies(...cookies).get('/account/sessions');
      expect(answer).toMatchObject(refused);
      const expired = answer.headers.getSetCookie();
      expect(expired).toHaveLength(4);
      for (const line of expired)
        expect(line).toMatch(/^florin\.\w[\w-]*=; Max-Age=0; Path=\/console; HttpOnly; SameSite=Lax$/);
    }
  });

  test('is found beside whatever other programs on the host have set', async () => {
    const browser = withCookies(
      ['theme', '%zz'],
      ['theme', '"dark'],
      ['florin_shop', 'x'],
      [session, cookieOf(attacker.browser, session)],
      ['', 'no name'],
    );
    expect((await browser.get('/account/sessions')).status).toBe(200);
  });

  test('of an installation with another key is ignored, not refused', async () => {
    const [token = ''] = decodeURIComponent(cookieOf(attacker.browser, session)).split('.');
    const foreign = encodeURIComponent(`${token}.${Buffer.alloc(32, 7).toString('base64')}`);
    expect(await withCookies([session, foreign]).get('/account/sessions')).toMatchObject({
      status: 401,
      error: 'not_signed_in',
    });
  });
});
