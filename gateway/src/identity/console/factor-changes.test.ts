import { beforeEach, expect, test } from 'vitest';
import { totpCode } from '../../../test/browser/totp.ts';
import {
  goodPassword,
  seedAccount,
  signedIn,
  type Visitor,
} from '../../../test/support/identity-fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { claimAccount } from '../accounts/accounts.ts';

/** What people do of their own account that changes nothing of how they sign in. */
const others = [
  'POST /name',
  'POST /language',
  'POST /confirm',
  'POST /email/send-again',
  'POST /merchants',
  'POST /invitations/accept',
  'DELETE /merchants/:merchant',
  'DELETE /sessions/:session',
  'PATCH /passkeys/:passkey',
  'PUT /notices',
  'DELETE /notices/telegram',
  'DELETE /notices/devices/:device',
];

let account: { id: string; email: string };
let thief: Visitor;
const app = await startApp();
beforeEach(async () => {
  account = await seedAccount(app.db);
  // Somebody else's session, opened by the password before there was a second factor.
  thief = await signedIn(app.baseUrl, account.email);
});

async function addApp(): Promise<{ uri: string }> {
  const owner = await signedIn(app.baseUrl, account.email);
  const { data } = await owner.send('POST', '/account/two-factor', { password: goodPassword });
  const uri = `${data?.totp_uri}`;
  const code = totpCode(uri);
  expect((await owner.send('POST', '/account/two-factor/confirm', { code })).status).toBe(200);
  return { uri };
}

async function addPasskey(): Promise<void> {
  await app.db.query(
    `INSERT INTO passkeys (id, account_id, name, credential_id, public_key, counter, device_type, backed_up, created_at)
     VALUES ($1::uuid, $2, 'Laptop', $1::uuid::text, '', 0, 'singleDevice', false, now())`,
    [newId(), account.id],
  );
}

/** What each call that may change how somebody signs in answers to the session with the password. */
async function answers(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { method, url } of app.consoleRoutes) {
    const name = `${method} ${url.replace('/console/account', '')}`;
    if (method === 'GET' || !url.startsWith('/console/account') || others.includes(name)) continue;
    const body = {
      ...{ password: goodPassword, current_password: goodPassword, code: '123456', name: 'Mine' },
      ...{ email: 'thief@example.com', new_password: 'a wholly new password', response: { id: 'x' } },
    };
    const path = url.replace('/console', '').replaceAll(/:\w+/g, newId());
    found[name] = `${(await thief.send(`${method}`, path, body)).error}`;
  }
  return found;
}

test.each([
  ['an authenticator', async () => void (await addApp())],
  ['a passkey', addPasskey],
])(
  'where there is %s, a session and the password change nothing of how somebody signs in',
  async (_, add) => {
    await add();
    expect((await thief.send('POST', '/account/confirm', { password: goodPassword })).status).toBe(403);
    const found = await answers();
    expect(Object.keys(found).length).toBeGreaterThanOrEqual(9);
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, 'fresh_sign_in'])));
  },
);

test('a factor that was shown counts for ten minutes, and a new password makes it no younger', async () => {
  const { uri } = await addApp();
  const code = totpCode(uri, new Date(Date.now() + 30_000));
  expect((await thief.send('POST', '/account/confirm', { code })).status).toBe(200);
  const shownAt = async () =>
    (await app.db.query('SELECT max(factor_at) AS at FROM sessions WHERE account_id = $1', [account.id]))
      .rows[0].at;
  await app.db.query("UPDATE sessions SET factor_at = now() - interval '9 minutes' WHERE account_id = $1", [
    account.id,
  ]);
  const before = await shownAt();
  const passwords = { current_password: goodPassword, new_password: 'a wholly new password' };
  expect((await thief.send('POST', '/account/password', passwords)).status).toBe(200);
  expect(await shownAt()).toEqual(before);
  await app.db.query("UPDATE sessions SET factor_at = now() - interval '11 minutes' WHERE account_id = $1", [
    account.id,
  ]);
  expect(await thief.send('POST', '/account/sessions/end-others')).toMatchObject({ error: 'fresh_sign_in' });
});

test('whoever reads the mailbox of an unconfirmed address removes no factor of an account that needs one', async () => {
  const { id } = await seedAccount(app.db, { isOperator: true, emailVerified: false });
  await app.db.query('UPDATE accounts SET two_factor_enabled = true WHERE id = $1', [id]);
  const isOn = async () =>
    (await app.db.query('SELECT two_factor_enabled AS on FROM accounts WHERE id = $1', [id])).rows[0].on;
  await transaction(app.db, (tx) => claimAccount(tx, id));
  expect(await isOn()).toBe(true);
  await app.db.query('UPDATE accounts SET is_operator = false WHERE id = $1', [id]);
  await transaction(app.db, (tx) => claimAccount(tx, id));
  expect(await isOn()).toBe(false);
});
