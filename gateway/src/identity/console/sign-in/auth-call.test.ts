import type { FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { testSeal } from '../../../../test/support/fixtures.ts';
import { seedAccount } from '../../../../test/support/identity-fixtures.ts';
import { newId } from '../../../kit/ids.ts';
import { createAuth } from '../../accounts/auth.ts';
import type { AuthEndpoint } from '../../accounts/auth-library.ts';
import { tokenHash } from '../../accounts/auth-storage.ts';
import { callAuth } from './auth-call.ts';

const { db } = await testDatabase();
const auth = createAuth({
  db,
  seal: testSeal,
  baseUrl: 'http://127.0.0.1:4000',
  log: pino({ level: 'silent' }),
});

const request = { ip: '203.0.113.1', headers: {} } as FastifyRequest;

/** Calls better-auth with one endpoint that answers this; returns which cookies were sent. */
async function call(
  name: string,
  accountId: string | null,
  answer: { body: object; cookie?: string },
): Promise<string[]> {
  const endpoint: AuthEndpoint = async () =>
    Response.json(answer.body, { headers: answer.cookie ? { 'set-cookie': answer.cookie } : {} });
  const sent: string[] = [];
  const reply = { header: (_: string, lines: string[]) => sent.push(...lines) } as unknown as FastifyReply;
  const library = async () => ({ endpoints: { [name]: endpoint } });
  await callAuth({ ...auth, library }, name, { request, reply }, { accountId });
  return sent;
}

async function seedSession(accountId: string): Promise<{ token: string; cookie: string }> {
  const token = `token-${newId()}`;
  await db.query(
    `INSERT INTO sessions (id, account_id, token, created_at, seen_at, expires_at)
     VALUES ($1, $2, $3, now(), now(), now() + interval '1 day')`,
    [newId(), accountId, tokenHash(token)],
  );
  return { token, cookie: `${auth.cookies.write({ session: token })}; Path=/console; HttpOnly` };
}

const sessionExists = async (token: string): Promise<boolean> =>
  (await db.query('SELECT FROM sessions WHERE token = $1', [tokenHash(token)])).rows.length === 1;

test('an answer for the account that was admitted is sent with its cookies', async () => {
  const { id } = await seedAccount(db);
  const { cookie } = await seedSession(id);
  expect(await call('signInEmail', id, { body: { user: { id } }, cookie })).toEqual([cookie]);
});

test.each([
  ['names another account', 'signInEmail', (other: string) => ({ user: { id: other } })],
  ['names nobody', 'signInEmail', () => ({})],
  [
    'names another account by its session',
    'verifyPasskeyAuthentication',
    (other: string) => ({ session: { userId: other } }),
  ],
])('nothing is sent when an answer %s', async (_, endpoint, bodyFor) => {
  const [{ id }, other] = [await seedAccount(db), await seedAccount(db)];
  await expect(call(endpoint, id, { body: bodyFor(other.id) })).rejects.toThrow('for another account');
});

test('nothing is sent when a cookie is for another account, and its new session ends', async () => {
  const [{ id }, other] = [await seedAccount(db), await seedAccount(db)];
  const { token, cookie } = await seedSession(other.id);
  await expect(call('verifyTOTP', id, { body: { user: { id } }, cookie })).rejects.toThrow(
    'for another account',
  );
  expect(await sessionExists(token)).toBe(false);
});

test('nothing is sent when the second step that a cookie begins is of another account', async () => {
  const [{ id }, other] = [await seedAccount(db), await seedAccount(db)];
  const step = `2fa-${newId()}`;
  await db.query(
    `INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
     VALUES ($1, $2, $3, now() + interval '1 minute', now(), now())`,
    [newId(), tokenHash(step), other.id],
  );
  const cookie = auth.cookies.write({ twoFactor: step });
  await expect(call('signInEmail', id, { body: { twoFactorRedirect: true }, cookie })).rejects.toThrow(
    'for another account',
  );
});
