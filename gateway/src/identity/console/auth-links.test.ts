import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  createVisitor,
  goodPassword,
  mailedToken,
  seedAccount,
  signedIn,
  startAccountServer,
  waitingMails,
} from '../../../test/support/identity-fixtures.ts';
import { newId } from '../../kit/ids.ts';

const newPassword = 'a wholly new password';
const { db } = await testDatabase();
const server = await startAccountServer(db);

const post = (path: string, body: object) => createVisitor(server.url).send('POST', path, body);
const signIn = async (email: string, password: string) =>
  (await post('/auth/sign-in', { email, password })).status;

describe('a forgotten password', () => {
  test('is replaced by the link in a mail, which ends every session, and the owner gets a mail', async () => {
    const { email } = await seedAccount(db);
    const elsewhere = await signedIn(server.url, email);
    await post('/auth/password/forgotten', { email: email.toUpperCase() });
    const token = await mailedToken(db, email, 'reset-password');
    expect(await post('/auth/password/reset', { token, new_password: newPassword })).toMatchObject({
      status: 200,
      data: null,
    });
    expect((await elsewhere.get('/account/sessions')).status).toBe(401);
    expect([await signIn(email, goodPassword), await signIn(email, newPassword)]).toEqual([401, 200]);
    const subjects = (await waitingMails(db, email)).map(({ subject }) => subject);
    expect(subjects).toEqual([
      'Choose a new password',
      'For your account the password was reset',
      'For your account somebody signed in on a new device',
    ]);
  });

  test('of an unconfirmed address removes the passkeys and the second factor of its account', async () => {
    const { id, email } = await seedAccount(db, { emailVerified: false });
    await db.query(
      `INSERT INTO passkeys (id, account_id, credential_id, public_key, counter, device_type, backed_up)
       VALUES ($1, $2, 'credential', 'key', 0, 'singleDevice', false)`,
      [newId(), id],
    );
    await db.query(
      "INSERT INTO two_factors (id, account_id, secret, recovery_codes) VALUES ($1, $2, '', '')",
      [newId(), id],
    );
    await db.query('UPDATE accounts SET two_factor_enabled = true WHERE id = $1', [id]);
    await post('/auth/password/forgotten', { email });
    const token = await mailedToken(db, email, 'reset-password');
    await post('/auth/password/reset', { token, new_password: newPassword });
    const visitor = createVisitor(server.url);
    const answer = await visitor.send('POST', '/auth/sign-in', { email, password: newPassword });
    expect(answer.data).toMatchObject({ two_factor_needed: false });
    expect((await visitor.get('/account/passkeys')).data).toEqual({ items: [], next_cursor: null });
  });

  test('causes five mails at once, then one every ten minutes, and the answer does not show which', async () => {
    const limited = await startAccountServer(db, { rateLimit: true });
    const { email } = await seedAccount(db);
    const ask = (address: string) =>
      createVisitor(limited.url, { 'x-forwarded-for': address }).send('POST', '/auth/password/forgotten', {
        email,
      });
    const answers = await Promise.all(Array.from({ length: 7 }, (_, index) => ask(`198.51.100.${index}`)));
    const [first] = answers;
    expect(answers.map((answer) => ({ ...answer, headers: null }))).toEqual(
      answers.map(() => ({ ...first, headers: null })),
    );
    expect(first).toMatchObject({ status: 200 });
    expect(await waitingMails(db, email)).toHaveLength(5);
    await limited.close();
  });

  test('of an unknown address gets the same answer, and no mail is written', async () => {
    const { email } = await seedAccount(db);
    const known = await post('/auth/password/forgotten', { email });
    const unknown = await post('/auth/password/forgotten', { email: 'nobody@example.com' });
    expect({ ...unknown, headers: null }).toEqual({ ...known, headers: null });
    expect(await waitingMails(db, 'nobody@example.com')).toEqual([]);
  });

  test('is replaced once by each link, and not by a weak one', async () => {
    const { email } = await seedAccount(db);
    await post('/auth/password/forgotten', { email });
    const token = await mailedToken(db, email, 'reset-password');
    const reset = (password: string) => post('/auth/password/reset', { token, new_password: password });
    expect(await reset('short')).toMatchObject({ status: 400, error: 'password_too_short' });
    expect(await reset('qwerty123456')).toMatchObject({ status: 400, error: 'password_common' });
    expect(await reset(newPassword)).toMatchObject({ status: 200 });
    expect(await reset('yet another password')).toMatchObject({ status: 400, error: 'link_expired' });
  });

  test('is not replaced by the hash in the database, or after an hour', async () => {
    const { email } = await seedAccount(db);
    await post('/auth/password/forgotten', { email });
    const token = await mailedToken(db, email, 'reset-password');
    const { rows } = await db.query('SELECT token_hash FROM account_links');
    for (const { token_hash } of rows) {
      expect(token_hash).not.toContain(token);
      const answer = await post('/auth/password/reset', { token: token_hash, new_password: newPassword });
      expect(answer).toMatchObject({ status: 400, error: 'link_expired' });
    }
    await db.query(`UPDATE account_links SET expires_at = expires_at - interval '1 hour'`);
    expect(await post('/auth/password/reset', { token, new_password: newPassword })).toMatchObject({
      status: 400,
      error: 'link_expired',
    });
  });
});

describe('the address of an account', () => {
  test('changes when the link in the mail to the new one is opened by the signed-in owner', async () => {
    const { email } = await seedAccount(db);
    const who = await signedIn(server.url, email);
    const wanted = `new-${email}`;
    expect(await who.send('POST', '/account/email', { email: wanted })).toMatchObject({ status: 200 });
    expect(await waitingMails(db, email)).toEqual([]);
    const token = await mailedToken(db, wanted, 'verify-email');

    // Reading the new mailbox does not sign anybody in.
    const stranger = createVisitor(server.url);
    expect(await stranger.send('POST', '/auth/email/confirm', { token })).toMatchObject({
      status: 401,
      error: 'not_signed_in',
    });
    expect(stranger.cookies.size).toBe(0);
    const other = await signedIn(server.url, (await seedAccount(db)).email);
    expect(await other.send('POST', '/auth/email/confirm', { token })).toMatchObject({
      status: 400,
      error: 'link_expired',
    });

    expect(await who.send('POST', '/auth/email/confirm', { token })).toMatchObject({
      status: 200,
      data: { email: wanted },
    });
    expect([await signIn(email, goodPassword), await signIn(wanted, goodPassword)]).toEqual([401, 200]);
    const [warning] = await waitingMails(db, email);
    expect(warning!.subject).toBe(`For your account the e-mail address was changed to ${wanted}`);
    expect(await who.send('POST', '/auth/email/confirm', { token })).toMatchObject({ error: 'link_expired' });
  });

  test('does not become a taken one, and the answer does not show why', async () => {
    const [mine, taken] = [await seedAccount(db), await seedAccount(db)];
    const who = await signedIn(server.url, mine.email);
    const answer = await who.send('POST', '/account/email', { email: taken.email });
    expect(answer).toMatchObject({ status: 200 });
    expect(await waitingMails(db, taken.email)).toEqual([]);
    expect(await who.send('POST', '/account/email', { email: mine.email })).toMatchObject({
      status: 409,
      error: 'address_unchanged',
    });
  });

  test('that was taken meanwhile makes the link invalid', async () => {
    const { email } = await seedAccount(db);
    const who = await signedIn(server.url, email);
    const wanted = `wanted-${email}`;
    await who.send('POST', '/account/email', { email: wanted });
    const token = await mailedToken(db, wanted, 'verify-email');
    await seedAccount(db, { email: wanted });
    expect(await who.send('POST', '/auth/email/confirm', { token })).toMatchObject({
      status: 400,
      error: 'link_expired',
    });
  });

  test('gets further mails until it is confirmed', async () => {
    const { email } = await seedAccount(db, { emailVerified: false });
    const who = await signedIn(server.url, email);
    expect(await who.send('POST', '/account/email/send-again')).toMatchObject({ status: 200 });
    const token = await mailedToken(db, email, 'verify-email');
    await who.send('POST', '/auth/email/confirm', { token });
    expect(await who.send('POST', '/account/email/send-again')).toMatchObject({
      status: 409,
      error: 'address_confirmed',
    });
  });

  test.each(['', 'x', 'a.b.c', `a.${Buffer.from('{"email":"x@example.com"}').toString('base64url')}.c`])(
    'is not confirmed by the link %j',
    async (token) => {
      const answer = await post('/auth/email/confirm', { token });
      expect(answer.status).toBe(400);
      expect(['link_expired', 'field_invalid']).toContain(answer.error);
    },
  );
});

describe('a link', () => {
  test('does only what it was made for', async () => {
    const { email } = await seedAccount(db, { emailVerified: false });
    await post('/auth/password/forgotten', { email });
    const who = await signedIn(server.url, email);
    await who.send('POST', '/account/email/send-again');
    const [reset, confirmation] = [
      await mailedToken(db, email, 'reset-password'),
      await mailedToken(db, email, 'verify-email'),
    ];
    const expired = { status: 400, error: 'link_expired' };
    expect(await who.send('POST', '/auth/email/confirm', { token: reset })).toMatchObject(expired);
    const body = { token: confirmation, new_password: newPassword };
    expect(await post('/auth/password/reset', body)).toMatchObject(expired);
    expect(await who.send('POST', '/auth/email/confirm', { token: confirmation })).toMatchObject({
      status: 200,
    });
  });

  test('works once, also when it is opened several times at once', async () => {
    const { email } = await seedAccount(db, { emailVerified: false });
    const who = await signedIn(server.url, email);
    await who.send('POST', '/account/email/send-again');
    const token = await mailedToken(db, email, 'verify-email');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post('/auth/email/confirm', { token })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  test('ends when another for the same purpose is used, or when the address of its account changes', async () => {
    const { email } = await seedAccount(db);
    const who = await signedIn(server.url, email);
    const change = async (wanted: string) => {
      await who.send('POST', '/account/email', { email: wanted });
      return await mailedToken(db, wanted, 'verify-email');
    };
    const [one, other] = [await change(`one-${email}`), await change(`other-${email}`)];
    await post('/auth/password/forgotten', { email });
    const reset = await mailedToken(db, email, 'reset-password');
    expect((await who.send('POST', '/auth/email/confirm', { token: one })).status).toBe(200);
    const expired = { status: 400, error: 'link_expired' };
    expect(await who.send('POST', '/auth/email/confirm', { token: other })).toMatchObject(expired);
    const body = { token: reset, new_password: newPassword };
    expect(await post('/auth/password/reset', body)).toMatchObject(expired);
    expect(await signIn(`one-${email}`, goodPassword)).toBe(200);
  });
});
