import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Answer, Api } from '../../../test/support/api.ts';
import { openConsole, signIn } from '../../../test/support/console.ts';
import { waitingMails } from '../../../test/support/identity-fixtures.ts';
import { endedOrWaiting } from '../../../test/support/payment-fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { createAccount } from '../accounts/accounts.ts';
import { addMember, createMerchant } from '../merchants/merchants.ts';
import { changeRole, listMembers, removeMember } from '../merchants/team.ts';
import { type MemberRole, memberRoles, permissions, viewOf } from '../roles.ts';
import type { Roles as RolesAnswer } from './answers/team.ts';

const app = await startApp();
const people = await openConsole(app);
const owner = await people.as('owner');
beforeEach(async () => {
  await app.db.query('DELETE FROM members WHERE account_id <> $1', [people.accountId('owner')]);
  await app.db.query('UPDATE invitations SET revoked_at = now()');
});

let made = 0;
async function makeAccount(): Promise<{ id: string; email: string }> {
  const email = `member${++made}@example.com`;
  const input = { email, name: `Member ${made}`, password: 'correct horse battery staple' };
  return { id: await transaction(app.db, (tx) => createAccount(tx, input, new Date())), email };
}

async function join(role: MemberRole, merchantId: string = people.merchantId) {
  const account = await makeAccount();
  await transaction(app.db, (tx) => addMember(tx, { merchantId, accountId: account.id, role }, new Date()));
  return { ...account, api: () => signIn(app.baseUrl, account.email) };
}

type Members = { items: { account_id: string; role: string }[]; next_cursor: string | null };
const members = (query = '') => owner<Members>('GET', `${people.merchant}/members${query}`);
const setRole = (accountId: string, role: unknown, by: Api = owner) =>
  by('PATCH', `${people.merchant}/members/${accountId}`, { body: { role } });
const remove = (accountId: string, by: Api = owner) =>
  by('DELETE', `${people.merchant}/members/${accountId}`, { body: {} });
const leave = (by: Api) => by('DELETE', `/console/account/merchants/${people.merchantId}`, { body: {} });

const friend = () => ({ email: `friend${++made}@example.com`, role: 'owner' });

const refusal = ({ status, body }: Answer<unknown>) => [status, body.error];

async function log() {
  const { rows } = await app.db.query(
    'SELECT action, subject_kind, subject_id, before, after FROM audit_log WHERE merchant_id = $1 ORDER BY id DESC LIMIT 1',
    [people.merchantId],
  );
  return rows[0];
}

describe('the business', () => {
  test('is renamed, which the audit log shows', async () => {
    const renamed = await owner('PATCH', people.merchant, { body: { name: 'Corner shops and more' } });
    expect(renamed.body.data).toEqual({ id: people.merchantId, name: 'Corner shops and more' });
    expect(await log()).toMatchObject({ action: 'renamed the business', before: { name: 'Corner shops' } });
  });
});

describe('the team', () => {
  test('is listed in pages, in the order in which people joined', async () => {
    const joined = [await join('finance'), await join('support'), await join('read-only')];
    const first = (await members('?limit=2')).body.data;
    const rest = (await members(`?limit=2&cursor=${first.next_cursor}`)).body.data;
    expect([...first.items, ...rest.items].map((each) => each.account_id)).toEqual([
      people.accountId('owner'),
      ...joined.map(({ id }) => id),
    ]);
    expect(rest.next_cursor).toBeNull();
    expect(first.items[1]).toMatchObject({ role: 'finance', has_two_factor: false, has_passkey: false });
    expect(refusal(await members('?cursor=nonsense'))).toEqual([400, 'field_invalid']);
    expect(refusal(await members('?limit=101'))).toEqual([400, 'field_invalid']);
  });

  test('shows what each role may do', async () => {
    const { body } = await owner<RolesAnswer>('GET', `${people.merchant}/roles`);
    expect(body.data.permissions).toEqual(viewOf(permissions));
    expect(body.data.items.map(({ role }) => role)).toEqual([...memberRoles]);
    expect(body.data.items.at(-1)!.permissions).toEqual(['read', 'get notices']);
  });

  test('changes a role, which counts from the next call on and is in the audit log', async () => {
    const { id, email, api } = await join('read-only');
    const member = await api();
    const audit = () => member('GET', `${people.merchant}/audit`);
    expect((await audit()).status).toBe(403);
    expect((await setRole(id, 'developer')).body.data).toEqual({ account_id: id, role: 'developer' });
    expect((await audit()).status).toBe(200);
    expect(await log()).toEqual({
      action: 'changed a role',
      subject_kind: 'member',
      subject_id: id,
      before: { email, role: 'read-only' },
      after: { email, role: 'developer' },
    });
  });

  test('removes a member, whose next call finds nothing', async () => {
    const { id, api } = await join('developer');
    const member = await api();
    expect((await remove(id)).status).toBe(200);
    expect(refusal(await member('GET', `${people.merchant}/members`))).toEqual([404, 'not_found']);
    expect(refusal(await remove(id))).toEqual([404, 'not_found']);
  });

  test('refuses unknown people, members of others, and roles that do not exist', async () => {
    const elsewhere = await makeAccount();
    await transaction(app.db, (tx) =>
      createMerchant(tx, { name: 'Elsewhere', ownerId: elsewhere.id }, new Date()),
    );
    for (const id of [newId(), elsewhere.id, 'nobody']) {
      expect(refusal(await setRole(id, 'finance'))).toEqual([404, 'not_found']);
      expect(refusal(await remove(id))).toEqual([404, 'not_found']);
    }
    const { id } = await join('finance');
    for (const role of ['operator', 'boss', 7, null, ['owner']]) {
      expect(refusal(await setRole(id, role))).toEqual([400, 'field_invalid']);
    }
    expect((await members()).body.data.items.at(-1)).toMatchObject({ account_id: id, role: 'finance' });
  });

  test('can be left by every member but the last owner', async () => {
    const { api } = await join('support');
    const member = await api();
    expect((await leave(member)).status).toBe(200);
    expect(await log()).toMatchObject({ action: 'left the business' });
    expect(refusal(await leave(member))).toEqual([404, 'not_found']);
    expect(refusal(await leave(owner))).toEqual([409, 'last_owner']);
    expect(refusal(await remove(people.accountId('owner')))).toEqual([409, 'last_owner']);
    expect(refusal(await setRole(people.accountId('owner'), 'finance'))).toEqual([409, 'last_owner']);
  });

  test('withdraws the open invitations of a former owner', async () => {
    const second = await join('owner');
    await app.db.query('UPDATE accounts SET email_verified = true WHERE id = $1', [second.id]);
    const api = await second.api();
    const email = `friend${++made}@example.com`;
    const sent = await api('POST', `${people.merchant}/invitations`, { body: { email, role: 'owner' } });
    expect(sent.status).toBe(200);
    expect(await waitingMails(app.db, email)).toHaveLength(1);
    await setRole(second.id, 'developer');
    const open = await owner<{ items: unknown[] }>('GET', `${people.merchant}/invitations`);
    expect(open.body.data.items).toEqual([]);
  });
});

test('one person owns twenty businesses at most, even by calls at once', async () => {
  const stranger = await people.as('stranger');
  const make = () => stranger('POST', '/console/account/merchants', { body: { name: 'One more' } });
  const answers = await Promise.all(Array.from({ length: 22 }, make));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
  expect(refusal(await make())).toEqual([409, 'too_many_merchants']);
});

describe('an owner', () => {
  test.each([
    ['invites nobody', (api: Api) => api('POST', `${people.merchant}/invitations`, { body: friend() })],
    ['makes nobody an owner', (api: Api, other: string) => setRole(other, 'owner', api)],
    ['removes nobody', (api: Api, other: string) => remove(other, api)],
  ])('who is removed while the call is under way %s', async (_, call) => {
    const other = await join('support');
    const second = await join('owner');
    await app.db.query('UPDATE accounts SET email_verified = true WHERE id = $1', [second.id]);
    const api = await second.api();
    const { calling } = await transaction(app.db, async (tx) => {
      await removeMember(tx, { merchantId: people.merchantId, accountId: second.id }, new Date());
      const under = call(api, other.id);
      await endedOrWaiting(app.db, under);
      return { calling: under };
    });
    expect(refusal(await calling)).toEqual([403, 'role_may_not']);
  });

  test('remains when two remove each other at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const second = await join('owner');
      const api = await second.api();
      const answers = await Promise.all([remove(second.id), remove(people.accountId('owner'), api)]);
      const { rows } = await app.db.query(
        `SELECT account_id FROM members WHERE merchant_id = $1 AND role = 'owner'`,
        [people.merchantId],
      );
      expect(rows).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      await app.db.query('DELETE FROM members WHERE merchant_id = $1', [people.merchantId]);
      const accountId = people.accountId('owner');
      await transaction(app.db, (tx) =>
        addMember(tx, { merchantId: people.merchantId, accountId, role: 'owner' }, new Date()),
      );
    }
  });

  test('remains whatever many people do to a team at once', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, makeAccount));
    const step = fc.record({
      who: fc.nat({ max: 3 }),
      what: fc.constantFrom<MemberRole | 'gone'>('owner', 'developer', 'gone'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
        async (rounds) => {
          const merchantId = await transaction(app.db, async (tx) => {
            const id = await createMerchant(tx, { name: 'Team', ownerId: accounts[0]!.id }, new Date());
            for (const { id: accountId } of accounts.slice(1)) {
              await addMember(tx, { merchantId: id, accountId, role: 'owner' }, new Date());
            }
            return id;
          });
          for (const steps of rounds) {
            const outcomes = steps.map(({ who, what }) =>
              transaction(app.db, async (tx) => {
                const member = { merchantId, accountId: accounts[who]!.id };
                if (what === 'gone') await removeMember(tx, member, new Date());
                else await changeRole(tx, member, what, new Date());
              }),
            );
            for (const outcome of await Promise.allSettled(outcomes)) {
              if (outcome.status === 'rejected') {
                expect(['last_owner', 'not_found']).toContain(outcome.reason.row?.slug);
              }
            }
            const team = await listMembers(app.db, merchantId, { place: null, limit: 10 });
            expect(team.some(({ role }) => role === 'owner')).toBe(true);
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});
