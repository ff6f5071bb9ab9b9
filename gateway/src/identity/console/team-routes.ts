import { Type } from 'typebox';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { pageOf, timeCursor, timePlaceOf } from '../../kit/http/cursor.ts';
import { fieldReader, queryReader } from '../../kit/http/fields.ts';
import { defaultPageLimit, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import { recordChange } from '../audit/audit-log.ts';
import type { Held, HeldBy } from '../keys/held.ts';
import { keysMadeBy, revokeMade } from '../keys/made-by.ts';
import {
  assertManagesTeam,
  changeRole,
  type JudgeTeam,
  listMembers,
  removeMember,
  roleOf,
} from '../merchants/team.ts';
import { type MemberRole, mayRole, memberRoles, permissions, permissionsOf, viewOf } from '../roles.ts';
import { ChangedRole, HeldPage, KeyOfMemberPage, MemberPage, Roles } from './answers/team.ts';
import { assertFresh, type Call, type Console } from './console.ts';

/** Keys that the member made, to be revoked in the same transaction. */
const revoked = {
  revoke_keys: Type.Optional(Type.Array(Type.String({ maxLength: 36 }), { maxItems: 1_000 })),
};
const readRole = fieldReader(Type.Object({ role: Type.Enum([...memberRoles]), ...revoked }));
const readRevoked = fieldReader(Type.Object(revoked));
const readPage = queryReader(Type.Object(pageFields));
const readNewRole = queryReader(Type.Object({ role: Type.Optional(Type.Enum([...memberRoles])) }));

type TeamDeps = { db: Database; now: Clock; judgeTeam: JudgeTeam; heldBy: readonly HeldBy[] };

/** The members of a business, their roles, and what each role may do. */
export function teamRoutes(dashboard: Console, deps: TeamDeps): void {
  const { db } = deps;

  dashboard.get('merchant', '/members', { may: 'read', answer: MemberPage }, async ({ merchant, query }) => {
    const { cursor, limit = defaultPageLimit } = readPage(query);
    const place = timePlaceOf(cursor);
    const members = await listMembers(db, merchant.id, { place, limit: limit + 1 });
    const data = pageOf(members, limit, (last) => timeCursor({ at: last.joined_at, id: last.account_id }));
    return { message: 'Members', data };
  });

  dashboard.get('merchant', '/roles', { may: 'read', answer: Roles }, async () => {
    const items = memberRoles.map((role) => ({ role, permissions: permissionsOf(role) }));
    return { message: 'Roles', data: { permissions: viewOf(permissions), items, next_cursor: null } };
  });

  readChangeRoutes(dashboard, deps);
  memberChangeRoutes(dashboard, deps);
  leaveRoute(dashboard, deps);
}

/** What somebody sees before a member gets the role of the query, or without one is removed. */
function readChangeRoutes(dashboard: Console, { db, now, heldBy }: TeamDeps): void {
  async function changeOf({ merchant, params, query }: Call<'merchant'>) {
    const member = { merchantId: merchant.id, accountId: memberIdOf(params) };
    const from = await roleOf(db, member);
    return { member, change: { from, to: readNewRole(query).role ?? null } };
  }

  dashboard.get('merchant', '/members/:account/held', { may: 'read', answer: HeldPage }, async (call) => {
    const { member, change } = await changeOf(call);
    const items: Held[] = [];
    for (const held of heldBy) items.push(...(await held(db, member, change)));
    return { message: 'What stops', data: { items, next_cursor: null } };
  });

  dashboard.get(
    'merchant',
    '/members/:account/keys',
    { may: 'read', answer: KeyOfMemberPage },
    async (call) => {
      const { member, change } = await changeOf(call);
      const made = await keysMadeBy(db, member, change, now());
      const mayRevoke = mayRole(call.role, 'manage keys');
      const items = made.map(({ is_revocable, ...key }) => ({
        ...key,
        may_revoke: mayRevoke && is_revocable,
        is_signing: !is_revocable,
      }));
      return { message: 'Keys that they made', data: { items, next_cursor: null } };
    },
  );
}

/** Revokes the keys of a member that the call names, each with its entry in the audit log. */
async function revokeNamed(
  tx: Tx,
  { actor, ids, as }: Pick<Call<'account'>, 'actor'> & { ids: readonly string[]; as: MemberRole },
  member: { merchantId: string; accountId: string },
  now: Date,
): Promise<void> {
  for (const change of await revokeMade(tx, member, { ids, as }, now)) {
    await recordChange(tx, actor, change, now);
  }
}

function memberChangeRoutes(dashboard: Console, { now, judgeTeam }: TeamDeps): void {
  const terms = { may: 'manage the team', fresh: true } as const;

  dashboard.write(
    'PATCH',
    'merchant',
    '/members/:account',
    { ...terms, answer: ChangedRole },
    async (tx, call) => {
      const accountId = memberIdOf(call.params);
      const { role, revoke_keys: ids = [] } = readRole(call.body);
      const as = await assertManagesTeam(tx, callerOf(call));
      const member = { merchantId: call.merchant.id, accountId };
      const former = await changeRole(tx, member, role, now());
      await judgeTeam(tx, { merchantId: call.merchant.id, from: former.role, to: role });
      await revokeNamed(tx, { actor: call.actor, ids, as }, member, now());
      const change = {
        action: 'changed a role',
        subject: { kind: 'member', id: accountId },
        before: former,
        after: { ...former, role },
      };
      return {
        message: 'Role changed',
        data: { account_id: accountId, role },
        change: former.role === role ? null : change,
      };
    },
  );

  dashboard.write(
    'DELETE',
    'merchant',
    '/members/:account',
    { ...terms, answer: Nothing },
    async (tx, call) => {
      const accountId = memberIdOf(call.params);
      const { revoke_keys: ids = [] } = readRevoked(call.body ?? {});
      const as = await assertManagesTeam(tx, callerOf(call));
      const member = { merchantId: call.merchant.id, accountId };
      const before = await removeMember(tx, member, now());
      await judgeTeam(tx, { merchantId: call.merchant.id, from: before.role, to: null });
      await revokeNamed(tx, { actor: call.actor, ids, as }, member, now());
      const change = { action: 'removed a member', subject: { kind: 'member', id: accountId }, before };
      return { message: 'Member removed', data: null, change };
    },
  );
}

/** Leaving a business needs no permission; revoking own keys with it needs that of keys, and a fresh sign-in. */
function leaveRoute(dashboard: Console, { now, judgeTeam }: TeamDeps): void {
  dashboard.write('DELETE', 'account', '/merchants/:merchant', { answer: Nothing }, async (tx, call) => {
    const merchantId = call.params.merchant ?? '';
    if (!isUuid(merchantId)) throw refuse(kitErrors.not_found);
    const { revoke_keys: ids = [] } = readRevoked(call.body ?? {});
    if (ids.length > 0) assertFresh(call, now());
    const accountId = call.session.account.id;
    const before = await removeMember(tx, { merchantId, accountId }, now());
    await judgeTeam(tx, { merchantId, from: before.role, to: null });
    await revokeNamed(tx, { actor: call.actor, ids, as: before.role }, { merchantId, accountId }, now());
    const change = {
      action: 'left the business',
      subject: { kind: 'member', id: accountId },
      before,
      merchantId,
    };
    return { message: 'You left the business', data: null, change };
  });
}

function callerOf({ merchant, session }: Call<'merchant'>) {
  return { merchantId: merchant.id, accountId: session.account.id };
}

function memberIdOf({ account = '' }: Record<string, string>): string {
  if (!isUuid(account)) throw refuse(kitErrors.not_found);
  return account;
}
