import { beforeEach, describe, expect, test } from 'vitest';
import { totpCode } from '../../../test/browser/totp.ts';
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
import { after } from '../../kit/clock.ts';

const { db } = await testDatabase();
const server = await startAccountServer(db);
let account: { id: string; email: string };
let who: Visitor;
beforeEach(async () => {
  account = await seedAccount(db);
  who = await signedIn(server.url, account.email);
});

type Enrolment = { totp_uri: string; recovery_codes: string[] };

async function enrol(): Promise<Enrolment> {
  const { data } = await who.send('POST', '/account/two-factor', { password: goodPassword });
  return data as Enrolment;
}

async function turnOn(): Promise<Enrolment> {
  const enrolment = await enrol();
  const code = totpCode(enrolment.totp_uri);
  expect(await who.send('POST', '/account/two-factor/confirm', { code })).toMatchObject({ status: 200 });
  return enrolment;
}

/** A browser after the right password, before the code. */
async function halfSignedIn(): Promise<Visitor> {
  const visitor = createVisitor(server.url);
  const body = { email: account.email, password: goodPassword };
  expect(await visitor.send('POST', '/auth/sign-in', body)).toMatchObject({
    status: 200,
    data: { two_factor_needed: true },
  });
  return visitor;
}

/** The code that follows the one that turned it on. */
const nextCode = ({ totp_uri }: Enrolment): string => totpCode(totp_uri, after(new Date(), 30));

const another = (code: string): string => (code === '123456' ? '654321' : '123456');

describe('turning two-factor sign-in on', () => {
  test('takes the password and a first code; until then a sign-in needs no code', async () => {
    expect(await who.send('POST', '/account/two-factor', { password: 'wrong' })).toMatchObject({
      status: 403,
      error: 'password_wrong',
    });
    const { totp_uri, recovery_codes } = await enrol();
    expect(totp_uri).toMatch(/^otpauth:\/\/totp\/Florin/);
    expect(new Set(recovery_codes).size).toBe(10);
    for (const code of recovery_codes) expect(code).toMatch(/^(?:[0-9A-Z]{4}-){5}[0-9A-Z]{4}$/);
    await signedIn(server.url, account.email);
    const code = totpCode(totp_uri);
    expect(await who.send('POST', '/account/two-factor/confirm', { code: another(code) })).toMatchObject({
      status: 403,
      error: 'code_wrong',
    });
    expect(await who.send('POST', '/account/two-factor/confirm', { code })).toMatchObject({ status: 200 });
    expect((await who.get('/account/sessions')).status).toBe(200);
    await halfSignedIn();
    const subjects = (await waitingMails(db, account.email)).map(({ subject }) => subject);
    expect(subjects).toContain('For your account two-factor sign-in was turned on');
    // Each sign-in of this test is another device.
    expect(subjects).toContain('For your account somebody signed in on a new device');
  });

  test('keeps neither the secret nor the recovery codes readable', async () => {
    const { totp_uri, recovery_codes } = await turnOn();
    const { rows } = await db.query('SELECT * FROM two_factors WHERE account_id = $1', [account.id]);
    const kept = JSON.stringify(rows);
    for (const code of recovery_codes) expect(kept).not.toContain(code);
    expect(kept).not.toContain(new URL(totp_uri).searchParams.get('secret'));
  });

  test('does not replace the secret of one that is on', async () => {
    await turnOn();
    expect(await who.send('POST', '/account/two-factor', { password: goodPassword })).toMatchObject({
      status: 409,
      error: 'two_factor_on',
    });
  });
});

describe('with two-factor sign-in on', () => {
  test('a password alone does not sign in; a code after it does', async () => {
    const enrolment = await turnOn();
    const visitor = await halfSignedIn();
    expect((await visitor.get('/account/sessions')).status).toBe(401);
    const code = nextCode(enrolment);
    expect(await visitor.send('POST', '/auth/sign-in/code', { code: another(code) })).toMatchObject({
      status: 403,
      error: 'code_wrong',
    });
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect(await visitor.send('POST', '/auth/sign-in/code', { code: spaced })).toMatchObject({ status: 200 });
    expect((await visitor.get('/account/sessions')).status).toBe(200);
  });

  test('a code works once', async () => {
    const code = nextCode(await turnOn());
    const [first, second] = [await halfSignedIn(), await halfSignedIn()];
    const answers = await Promise.all(
      [first, second].map((visitor) => visitor.send('POST', '/auth/sign-in/code', { code })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const third = await halfSignedIn();
    expect(await third.send('POST', '/auth/sign-in/code', { code })).toMatchObject({ error: 'code_used' });
    const { rows } = await db.query('SELECT subject FROM emails WHERE recipient = $1', [account.email]);
    const subject = 'For your account a one-time code was given a second time, and refused';
    expect(rows).toContainEqual({ subject });
  });

  test('a code without a password before it does not sign in', async () => {
    const enrolment = await turnOn();
    const body = { code: nextCode(enrolment) };
    expect(await createVisitor(server.url).send('POST', '/auth/sign-in/code', body)).toMatchObject({
      status: 401,
      error: 'sign_in_expired',
    });
  });

  test('a code is refused ten minutes after the password', async () => {
    const enrolment = await turnOn();
    const visitor = await halfSignedIn();
    await db.query(`UPDATE verifications SET expires_at = expires_at - interval '10 minutes'`);
    expect(await visitor.send('POST', '/auth/sign-in/code', { code: nextCode(enrolment) })).toMatchObject({
      status: 401,
      error: 'sign_in_expired',
    });
  });

  test('a recovery code works once', async () => {
    const { recovery_codes } = await turnOn();
    const [code] = recovery_codes;
    const first = await halfSignedIn();
    expect(await first.send('POST', '/auth/sign-in/recovery-code', { code })).toMatchObject({ status: 200 });
    expect((await first.get('/account/sessions')).status).toBe(200);
    const second = await halfSignedIn();
    expect(await second.send('POST', '/auth/sign-in/recovery-code', { code })).toMatchObject({
      status: 403,
      error: 'code_wrong',
    });
  });

  test('one recovery code that is used twice at once works once', async () => {
    const { recovery_codes } = await turnOn();
    const visitors = [await halfSignedIn(), await halfSignedIn(), await halfSignedIn()];
    const code = recovery_codes[1];
    const answers = await Promise.all(
      visitors.map((visitor) => visitor.send('POST', '/auth/sign-in/recovery-code', { code })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
  });

  test('new recovery codes void the old ones', async () => {
    const { recovery_codes } = await turnOn();
    const answer = await who.send('POST', '/account/two-factor/recovery-codes', { password: goodPassword });
    const fresh = answer.data!.recovery_codes as string[];
    const visitor = await halfSignedIn();
    const use = (code?: string) => visitor.send('POST', '/auth/sign-in/recovery-code', { code });
    expect(await use(recovery_codes[0])).toMatchObject({ error: 'code_wrong' });
    expect(await use(fresh[0])).toMatchObject({ status: 200 });
  });

  test('a confirmation takes a code, not the password', async () => {
    const enrolment = await turnOn();
    await ageSessions(db, account.id, 11 * 60);
    const confirm = (body: object) => who.send('POST', '/account/confirm', body);
    expect(await confirm({ password: goodPassword })).toMatchObject({ status: 403, error: 'code_needed' });
    const code = nextCode(enrolment);
    expect(await confirm({ code: another(code) })).toMatchObject({ status: 403, error: 'code_wrong' });
    expect(await confirm({ code })).toMatchObject({ status: 200 });
    expect(await who.send('POST', '/account/two-factor/off', { password: goodPassword })).toMatchObject({
      status: 200,
    });
    await signedIn(server.url, account.email);
  });
});

test('two-factor sign-in that was never on takes no code and has no recovery codes', async () => {
  const refused = { status: 409, error: 'two_factor_off' };
  expect(await who.send('POST', '/account/two-factor/confirm', { code: '123456' })).toMatchObject(refused);
  const body = { password: goodPassword };
  expect(await who.send('POST', '/account/two-factor/off', body)).toMatchObject(refused);
  expect(await who.send('POST', '/account/two-factor/recovery-codes', body)).toMatchObject(refused);
});

test('attempts from many addresses share one limit', async () => {
  await turnOn();
  const start = new Date();
  const limited = await startAccountServer(db, { rateLimit: true, baseUrl: server.url, now: () => start });
  const half = await halfSignedIn();
  const guess = async (index: number) => {
    const visitor = createVisitor(limited.url, {
      'x-forwarded-for': `198.51.100.${index}`,
      origin: server.url,
    });
    for (const [name, value] of half.cookies) visitor.cookies.set(name, value);
    return (await visitor.send('POST', '/auth/sign-in/code', { code: '000000' })).status;
  };
  const statuses = await Promise.all(Array.from({ length: 62 }, (_, index) => guess(index)));
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  await limited.close();
});
