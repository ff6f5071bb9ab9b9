import { beforeEach, expect, test } from 'vitest';
import { type Answer, type Api, createApi } from '../../../test/support/api.ts';
import { openConsole, type Person } from '../../../test/support/console.ts';
import { startApp } from '../../../test/support/running.ts';
import { newId } from '../../kit/ids.ts';
import type { KeyOfMember } from '../console/answers/team.ts';

const app = await startApp();
const people = await openConsole(app);
const owner = await people.as('owner');

let finance: Api;
beforeEach(async () => {
  await people.renew('finance');
  finance = await people.as('finance');
});

type Made = { id: string; secret_key: string };

async function keyOf(client: Api, name: string, at = people.test): Promise<Made> {
  const body = { name, actions: ['make payouts', 'create payments', 'read balances'] };
  return (await client<Made>('POST', `${at}/keys`, { body })).body.data;
}

const pathOf = (person: Person) => `${people.merchant}/members/${people.accountId(person)}`;
const shown = async (role = '', client: Api = owner) =>
  (await client<{ items: KeyOfMember[] }>('GET', `${pathOf('finance')}/keys${role && `?role=${role}`}`)).body
    .data.items;
const remove = (revoke_keys: unknown, by: Api = owner) =>
  by('DELETE', pathOf('finance'), { body: { revoke_keys } });
const refusal = ({ status, body }: Answer<unknown>) => [status, body.error];
const statusOf = async ({ secret_key }: Made): Promise<number> =>
  (await createApi(app.baseUrl, secret_key)('GET', '/balances')).status;
const isMember = async (): Promise<boolean> =>
  (await app.db.query('SELECT FROM members WHERE account_id = $1', [people.accountId('finance')]))
    .rowCount === 1;

/** The newest entries of the audit log: act and subject. */
async function logged(count: number): Promise<string[][]> {
  const { rows } = await app.db.query<{ action: string; subject: string; merchant: string }>(
    'SELECT action, subject_id AS subject, merchant_id AS merchant FROM audit_log ORDER BY id DESC LIMIT $1',
    [count],
  );
  expect(rows.every(({ merchant }) => merchant === people.merchantId)).toBe(true);
  return rows.map(({ action, subject }) => [action, subject]);
}

test('the keys that a member made are shown before they are removed or may do less, in both modes', async () => {
  await keyOf(owner, 'of the owner');
  const till = await keyOf(finance, 'till');
  const live = await keyOf(finance, 'till', people.live);
  const ended = await keyOf(finance, 'ended');
  await owner('POST', `${people.test}/keys/${ended.id}/revoke`, { body: {} });
  await statusOf(till);
  const common = { integration: expect.any(String), name: 'till', may_revoke: true, is_signing: false };
  const expected = [
    { ...common, id: live.id, mode: 'live', hint: `sk_live_…${live.secret_key.slice(-4)}` },
    { ...common, id: till.id, mode: 'test', hint: `sk_test_…${till.secret_key.slice(-4)}` },
  ].map((key) => ({ ...key, loses: ['make payouts'] }));
  expect(await shown()).toMatchObject(expected);
  expect(await shown('support')).toMatchObject(expected);
  expect(await shown('owner')).toEqual([]);
  expect(await shown('finance')).toEqual([]);
  await expect
    .poll(async () => (await shown()).map((key) => key.last_used_at))
    .toContainEqual(expect.any(String));
  const reader = await people.as('read-only');
  expect((await shown('', reader)).map(({ may_revoke }) => may_revoke)).toEqual([false, false]);
});

test('the chosen keys are revoked with the removal, each in the audit log, and the others stay', async () => {
  const [till, live, kept] = [
    await keyOf(finance, 'till'),
    await keyOf(finance, 'till', people.live),
    await keyOf(finance, 'kept'),
  ];
  expect((await remove([till.id, live.id])).status).toBe(200);
  expect([await statusOf(till), await statusOf(live), await statusOf(kept)]).toEqual([401, 401, 200]);
  expect(await isMember()).toBe(false);
  const [removed, ...revoked] = await logged(3);
  expect(removed).toEqual(['removed a member', people.accountId('finance')]);
  expect(revoked.sort()).toEqual(
    [
      ['revoked a key', till.id],
      ['revoked a key', live.id],
    ].sort(),
  );
});

test('they are revoked with another role too', async () => {
  const till = await keyOf(finance, 'till');
  const body = { role: 'support', revoke_keys: [till.id] };
  expect((await owner('PATCH', pathOf('finance'), { body })).status).toBe(200);
  expect(await statusOf(till)).toBe(401);
  expect((await logged(2)).map(([action]) => action)).toEqual(['changed a role', 'revoked a key']);
});

test.each<[string, (till: Made) => Promise<unknown>, [number, string]]>([
  ['of somebody else', async () => [(await keyOf(owner, 'of the owner')).id], [404, 'not_found']],
  ['that there is not', async () => [newId()], [404, 'not_found']],
  ['that is no id', async ({ id }) => [id, 'all of them'], [404, 'not_found']],
  ['that are no list', async ({ id }) => id, [400, 'field_invalid']],
])('keys %s are not revoked, and nobody is removed', async (_, choose, refused) => {
  const till = await keyOf(finance, 'till');
  expect(refusal(await remove(await choose(till)))).toEqual(refused);
  expect(await isMember()).toBe(true);
  expect(await statusOf(till)).toBe(200);
});

test('the key that signs webhooks is not revoked with its maker, who stays then', async () => {
  const { body } = await finance<{ items: { id: string; signing: boolean }[] }>('GET', `${people.test}/keys`);
  const signing = body.data.items.find((each) => each.signing)!;
  const rolled = await finance<Made>('POST', `${people.test}/keys/${signing.id}/roll`, {
    body: { overlap_days: 0 },
  });
  const { id } = rolled.body.data;
  expect(await shown()).toMatchObject([{ id, name: null, is_signing: true, may_revoke: false }]);
  expect(refusal(await remove([id]))).toEqual([409, 'key_signs']);
  expect(await isMember()).toBe(true);
});

test('a key that has ended meanwhile stops nothing', async () => {
  const [ended, till] = [await keyOf(finance, 'ended'), await keyOf(finance, 'till')];
  await owner('POST', `${people.test}/keys/${ended.id}/revoke`, { body: {} });
  expect((await remove([ended.id, till.id])).status).toBe(200);
  expect(await statusOf(till)).toBe(401);
  expect(await logged(2)).toEqual([
    ['removed a member', people.accountId('finance')],
    ['revoked a key', till.id],
  ]);
});

test('who leaves revokes keys of their own only, where they may manage keys and signed in lately', async () => {
  const leave = (client: Api, revoke_keys: string[]) =>
    client('DELETE', `/console/account/merchants/${people.merchantId}`, { body: { revoke_keys } });
  const [till, other] = [await keyOf(finance, 'till'), await keyOf(owner, 'of the owner')];
  expect(refusal(await leave(finance, [other.id]))).toEqual([404, 'not_found']);
  await app.db.query(
    `UPDATE sessions SET created_at = created_at - interval '11 minutes', confirmed_at = NULL WHERE account_id = $1`,
    [people.accountId('finance')],
  );
  expect(refusal(await leave(finance, [till.id]))).toEqual([403, 'fresh_sign_in']);
  await app.db.query('UPDATE sessions SET confirmed_at = now() WHERE account_id = $1', [
    people.accountId('finance'),
  ]);
  await owner('PATCH', pathOf('finance'), { body: { role: 'support' } });
  expect(refusal(await leave(finance, [till.id]))).toEqual([403, 'role_may_not']);
  await owner('PATCH', pathOf('finance'), { body: { role: 'developer' } });
  expect((await leave(finance, [till.id])).status).toBe(200);
  expect([await statusOf(till), await isMember()]).toEqual([401, false]);
});

test('the list of keys says what a key may no longer do, since who made it may not', async () => {
  const { id } = await keyOf(finance, 'till');
  const lost = async () =>
    (
      await owner<{ items: { id: string; lost: string[] }[] }>('GET', `${people.test}/keys?limit=100`)
    ).body.data.items.find((key) => key.id === id)!.lost;
  expect(await lost()).toEqual([]);
  await remove([]);
  expect(await lost()).toEqual(['make payouts']);
});
