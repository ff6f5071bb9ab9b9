import { expect, test } from 'vitest';
import { totpCode } from '../../../test/browser/totp.ts';
import { walletPerson } from '../../../test/browser/wallet-person.ts';
import { testClock } from '../../../test/support/fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { newId } from '../../kit/ids.ts';
import { findUserIds } from '../../wallets/users.ts';

const password = 'correct horse battery staple';
/** Forms of the account that change nothing of how its user signs in. */
const others = ['account/session-off', 'account/sessions-off'];

const clock = testClock(new Date());
const app = await startApp({ now: clock.now });

async function newcomer() {
  const person = walletPerson(app.baseUrl);
  const username = `u${newId().replaceAll('-', '').slice(4, 30)}`;
  expect((await person.send('sign-up', { username, password })).status).toBe(303);
  return { ...person, username, id: (await findUserIds(app.db, [username])).get(username) ?? '' };
}
type Person = Awaited<ReturnType<typeof newcomer>>;

/** A second session of the same person, by the password alone. */
async function elsewhere({ username }: Person) {
  const other = walletPerson(app.baseUrl);
  expect((await other.send('sign-in', { username, password })).to).toBe('/wallet/');
  return other;
}

const secretIn = (text: string): string => /<bdi class="code"[^>]*>([A-Z2-7]{32})</.exec(text)?.[1] ?? '';
const codeOf = (secret: string): string => totpCode(`otpauth://totp/x?secret=${secret}`, clock.now());

async function turnOn(person: Person): Promise<string> {
  const secret = secretIn((await person.send('account/factor', { current: password })).text);
  expect((await person.send('account/factor-on', { code: codeOf(secret) })).to).toContain('factorStarted');
  return secret;
}

async function addPasskey(person: Person): Promise<string> {
  const id = newId();
  await app.db.query(
    `INSERT INTO user_passkeys (id, user_id, name, credential_id, public_key, counter, transports, created_at)
     VALUES ($1::uuid, $2, 'Phone', $1::uuid::text, '', 0, '{}', now())`,
    [id, person.id],
  );
  return id;
}

/** How somebody signs in, as the database has it. */
async function waysIn({ id }: Person): Promise<unknown> {
  const { rows } = await app.db.query(
    `SELECT email, password_hash,
       (SELECT json_agg(f) FROM user_factors f WHERE user_id = u.id) AS apps,
       (SELECT json_agg(p) FROM user_passkeys p WHERE user_id = u.id) AS passkeys,
       (SELECT json_agg(c ORDER BY c) FROM user_recovery_codes c WHERE user_id = u.id) AS codes
     FROM users u WHERE id = $1`,
    [id],
  );
  return rows[0];
}

const changes = () =>
  app.routes
    .filter(({ method, url }) => method === 'POST' && url.startsWith('/wallet/account/'))
    .map(({ url }) => url.replace('/wallet/', ''))
    .filter((path) => !others.includes(path));

test.each([
  ['an authenticator app', turnOn],
  ['a passkey', addPasskey],
])(
  'where there is %s, a session with the password changes nothing of how its user signs in',
  async (_, add) => {
    const person = await newcomer();
    const thief = await elsewhere(person);
    const added = await add(person);
    const before = await waysIn(person);
    // It does not help the thief that the factor was shown six minutes ago.
    await app.db.query('UPDATE user_sessions SET factor_at = $2 WHERE user_id = $1', [
      person.id,
      new Date(clock.now().getTime() - 6 * 60_000),
    ]);
    const forms = changes();
    expect(forms.length).toBeGreaterThanOrEqual(8);
    for (const form of forms) {
      const { status } = await thief.send(form, {
        ...{ current: password, password: 'a wholly new password', email: 'thief@example.com', id: added },
        ...{ token: 'x', response: '{"id":"x"}' },
      });
      // Where an app is on, none is set up.
      const isEmpty = form === 'account/factor' && status === 303;
      expect({ form, status: isEmpty ? 403 : status }).toEqual({ form, status: 403 });
    }
    expect(await waysIn(person)).toEqual(before);
  },
);

test('a code, or a recovery code where there is a passkey alone, lets a change through, and five minutes of them', async () => {
  const person = await newcomer();
  const secret = await turnOn(person);
  clock.advance(400);
  const made = () => person.send('account/recovery-codes', { current: password });
  expect((await made()).words).toContain('Enter a code of your app.');
  expect((await person.get('account')).text).toContain('id="recovery-code"');
  const first = await person.send('account/recovery-codes', { current: password, code: codeOf(secret) });
  expect(first.status).toBe(200);
  expect((await made()).status).toBe(200);
  expect((await person.get('account')).text).not.toContain('id="recovery-code"');
  clock.advance(301);
  expect((await made()).status).toBe(403);

  const other = await newcomer();
  const codes = await other.send('account/recovery-codes', { current: password });
  const [recovery = ''] = /\w{4}(?:-\w{4}){5}/.exec(codes.text) ?? [];
  const id = await addPasskey(other);
  expect((await other.send('account/passkey-off', { id })).words).toContain('Sign in again to do this.');
  const removed = await other.send('account/passkey-off', { id, code: recovery });
  expect(removed.to).toContain('passkeyRemoved');
});

test('where there is no factor yet, a passkey asks for the password, however young the session is', async () => {
  const person = await newcomer();
  const passkey = { token: 'x', response: '{"id":"x"}' };
  expect((await person.send('account/passkey', passkey)).words).toContain('The password is not right.');
  expect((await person.send('account/passkey', { ...passkey, current: password })).status).toBe(400);
});

test('another session neither sees the secret of an app that is being set up nor turns it on', async () => {
  const person = await newcomer();
  const thief = await elsewhere(person);
  const secret = secretIn((await person.send('account/factor', { current: password })).text);
  expect(secret).not.toBe('');
  const seen = await thief.send('account/factor-on', { code: '000000' });
  expect([seen.status, secretIn(seen.text)]).toEqual([403, '']);
  expect((await thief.send('account/factor-on', { code: codeOf(secret) })).status).toBe(403);
  expect((await person.send('account/factor-on', { code: codeOf(secret) })).to).toContain('factorStarted');
});
