import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Api, createApi } from '../../../test/support/api.ts';
import { openConsole, password, signIn } from '../../../test/support/console.ts';
import { waitingMails } from '../../../test/support/identity-fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId, randomToken } from '../../kit/ids.ts';
import { createAccount } from '../accounts/accounts.ts';
import type { Invitation } from '../merchants/invitations.ts';

const app = await startApp();
const people = await openConsole(app);
const owner = await people.as('owner');

let made = 0;
let email: string;
beforeEach(async () => {
  email = `guest${++made}@example.com`;
  await app.db.query('UPDATE invitations SET revoked_at = now() WHERE accepted_at IS NULL');
});

type Sent = { id: string; email: string; role: string };
const invite = (body: object = { email, role: 'support' }) =>
  owner<Sent>('POST', `${people.merchant}/invitations`, { body });
const list = async () =>
  (await owner<{ items: Sent[] }>('GET', `${people.merchant}/invitations`)).body.data.items;
const linkToken = (to = email) =>
  waitingMails(app.db, to).then((mails) => /invitation\/(\S+)/.exec(mails.at(-1)!.source)![1]!);
const look = (token: unknown) =>
  createApi(app.baseUrl, '')<Invitation>('POST', '/console/auth/invitation', {
    key: null,
    body: { token },
    headers: { origin: app.baseUrl },
  });
const accept = (by: Api, token: unknown) =>
  by('POST', '/console/account/invitations/accept', { body: { token } });
const refusal = ({ status, body }: Answer<unknown>) => [status, body.error];

async function guest(address = email): Promise<Api> {
  const input = { email: address, name: 'Guest', password };
  await transaction(app.db, (tx) => createAccount(tx, input, new Date()));
  return await signIn(app.baseUrl, address);
}

describe('an invitation', () => {
  test('makes a member by the link in its mail, and confirms the address', async () => {
    expect((await invite({ email: email.toUpperCase(), role: 'support' })).body.data).toMatchObject({
      email,
    });
    const token = await linkToken();
    const seen = (await look(token)).body.data;
    expect(seen).toMatchObject({
      email,
      role: 'support',
      merchant: { name: 'Corner shops' },
      invited_by: { email: 'owner@example.com' },
      has_account: false,
    });
    const api = await guest();
    expect((await look(token)).body.data.has_account).toBe(true);
    expect((await accept(api, token)).body.data).toEqual({
      merchant: { id: people.merchantId, name: 'Corner shops' },
      role: 'support',
    });
    const { body } = await api<{ account: { email_verified: boolean }; merchants: { role: string }[] }>(
      'GET',
      '/console/account',
    );
    expect(body.data).toMatchObject({ account: { email_verified: true }, merchants: [{ role: 'support' }] });
  });

  test('works once, even when it is accepted twice at the same moment', async () => {
    await invite();
    const token = await linkToken();
    const api = await guest();
    const answers = await Promise.all([accept(api, token), accept(api, token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(refusal(await look(token))).toEqual([400, 'invitation_over']);
  });

  test('works only for the invited address', async () => {
    await invite();
    const token = await linkToken();
    const other = await guest(`other${made}@example.com`);
    expect(refusal(await accept(other, token))).toEqual([403, 'invitation_for_other']);
    expect((await look(token)).status).toBe(200);
  });

  test('expires after seven days, and works again after it is sent again', async () => {
    const { id } = (await invite()).body.data;
    const former = await linkToken();
    await app.db.query("UPDATE invitations SET expires_at = expires_at - interval '7 days' WHERE id = $1", [
      id,
    ]);
    expect(refusal(await look(former))).toEqual([400, 'invitation_over']);
    expect(await list()).toMatchObject([{ id, email }]);
    const again = `${people.merchant}/invitations/${id}/send-again`;
    expect((await owner('POST', again, { body: {} })).status).toBe(200);
    const token = await linkToken();
    expect(token).not.toBe(former);
    expect((await look(token)).status).toBe(200);
    expect(refusal(await look(former))).toEqual([400, 'invitation_over']);
  });

  test('that is withdrawn can neither be accepted nor sent again', async () => {
    const { id } = (await invite()).body.data;
    const token = await linkToken();
    const path = `${people.merchant}/invitations/${id}`;
    expect((await owner('DELETE', path, { body: {} })).status).toBe(200);
    expect(await list()).toEqual([]);
    expect(refusal(await accept(await guest(), token))).toEqual([400, 'invitation_over']);
    expect(refusal(await owner('DELETE', path, { body: {} }))).toEqual([404, 'not_found']);
    expect(refusal(await owner('POST', `${path}/send-again`, { body: {} }))).toEqual([404, 'not_found']);
  });

  test('is kept without its token', async () => {
    await invite();
    const token = await linkToken();
    const { rows } = await app.db.query('SELECT i::text AS row FROM invitations i WHERE email = $1', [email]);
    const { rows: entries } = await app.db.query('SELECT e::text AS row FROM audit_log e');
    expect(Buffer.from(token, 'base64url')).toHaveLength(16);
    expect([...rows, ...entries].some(({ row }) => row.includes(token))).toBe(false);
  });

  test('of another business is unknown here', async () => {
    const { id } = (await invite()).body.data;
    const stranger = await people.as('stranger');
    const mine = await stranger<{ merchants: { id: string }[] }>('GET', '/console/account');
    const path = `/console/merchants/${mine.body.data.merchants[0]!.id}/invitations/${id}`;
    expect(refusal(await stranger('DELETE', path, { body: {} }))).toEqual([404, 'not_found']);
    expect(await list()).toMatchObject([{ id }]);
  });
});

describe('inviting', () => {
  test('refuses bad addresses and roles, members, and people who are invited already', async () => {
    for (const body of [
      {},
      { email, role: 'king' },
      { email: 'nobody', role: 'support' },
      { email: 'a\0@example.com', role: 'support' },
      { email: [email], role: 'support' },
    ]) {
      expect(refusal(await invite(body))).toEqual([400, 'field_invalid']);
    }
    expect(refusal(await invite({ email: 'Owner@example.com', role: 'support' }))).toEqual([
      409,
      'member_already',
    ]);
    const answers = await Promise.all([invite(), invite()]);
    expect(answers.map(refusal).sort()).toEqual([
      [200, undefined],
      [409, 'invitation_pending'],
    ]);
    expect(await list()).toHaveLength(1);
  });

  test('needs a confirmed address of the inviting member', async () => {
    const { id } = (await invite()).body.data;
    await app.db.query('UPDATE accounts SET email_verified = false WHERE email = $1', ['owner@example.com']);
    expect(refusal(await invite({ email: `x${email}`, role: 'support' }))).toEqual([
      403,
      'email_not_verified',
    ]);
    const again = `${people.merchant}/invitations/${id}/send-again`;
    expect(refusal(await owner('POST', again, { body: {} }))).toEqual([403, 'email_not_verified']);
    await app.db.query('UPDATE accounts SET email_verified = true');
  });

  test('ends at a hundred open invitations', async () => {
    await app.db.query(
      `INSERT INTO invitations (id, merchant_id, email, role, token_hash, invited_by, created_at, expires_at)
       SELECT gen_random_uuid(), $1, 'many' || n || '@example.com', 'support', sha256(n::text::bytea), $2, now(), now()
       FROM generate_series(1, 100) n`,
      [people.merchantId, people.accountId('owner')],
    );
    expect(refusal(await invite())).toEqual([409, 'too_many_invitations']);
    expect(await list()).toHaveLength(100);
  });
});

test('an unknown link counts as expired, whatever its text', async () => {
  for (const token of [randomToken(), newId(), '../../x', 'é'.repeat(100)]) {
    expect(refusal(await look(token))).toEqual([400, 'invitation_over']);
    expect(refusal(await accept(owner, token))).toEqual([400, 'invitation_over']);
  }
  for (const token of [undefined, 7, 'x'.repeat(201), 'a\0b']) {
    expect(refusal(await look(token))).toEqual([400, 'field_invalid']);
  }
});
