import { Type } from 'typebox';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { pageOf, timeCursor, timePlaceOf } from '../../kit/http/cursor.ts';
import { fieldReader, queryReader } from '../../kit/http/fields.ts';
import { defaultPageLimit, pageFields } from '../../kit/http/page-query.ts';
import { isUuid } from '../../kit/ids.ts';
import { type Held, type HeldBy, keysHeldBy } from '../keys/held.ts';
import {
  assertManagesTeam,
  changeRole,
  type JudgeTeam,
  listMembers,
  removeMember,
  roleOf,
} from '../merchants/team.ts';
import { memberRoles, permissions, permissionsOf } from '../roles.ts';
import { ChangedRole, HeldPage, MemberPage, Roles } from './answers/team.ts';
import type { Call, Console } from './console.ts';

const readRole = fieldReader(Type.Object({ role: Type.Enum([...memberRoles]) }));
const readPage = queryReader(Type.Object(pageFields));
const readNewRole = queryReader(Type.Object({ role: Type.Optional(Type.Enum([...memberRoles])) }));

type TeamDeps = { db: Database; now: Clock; judgeTeam: JudgeTeam; heldBy: readonly HeldBy[] };

/** The members of a business, their roles, and what each role may do. */
export function teamRoutes(dashboard: Console, deps: TeamDeps): void {
  const { db, now, heldBy } = deps;

  dashboard.get('merchant', '/members', { may: 'read', answer: MemberPage }, async ({ merchant, query }) => {
    const { cursor, limit = defaultPageLimit } = readPage(query);
    const place = timePlaceOf(cursor);
    const members = await listMembers(db, merchant.id, { place, limit: limit + 1 });
    const data = pageOf(members, limit, (last) => timeCursor({ at: last.joined_at, id: last.account_id }));
    return { message: 'Members', data };
  });

  dashboard.get('merchant', '/roles', { may: 'read', answer: Roles }, async () => {
    const items = memberRoles.map((role) => ({ role, permissions: permissionsOf(role) }));
    return { message: 'Roles', data: { permissions, items, next_cursor: null } };
  });

  // What stops when the member gets this role; without a role: when the member is removed.
  dashboard.get('merchant', '/members/:account/held', { may: 'read', answer: HeldPage }, async (call) => {
    const member = { merchantId: call.merchant.id, accountId: memberIdOf(call.params) };
    const from = await roleOf(db, member);
    const to = readNewRole(call.query).role ?? null;
    const items: Held[] = [];
    for (const held of [keysHeldBy(now), ...heldBy]) items.push(...(await held(db, member, { from, to })));
    return { message: 'What stops', data: { items, next_cursor: null } };
  });

  memberChangeRoutes(dashboard, deps);
  leaveRoute(dashboard, deps);
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
      const { role } = readRole(call.body);
      await assertManagesTeam(tx, callerOf(call));
      const former = await changeRole(tx, { merchantId: call.merchant.id, accountId }, role, now());
      await judgeTeam(tx, { merchantId: call.merchant.id, from: former.role, to: role });
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
      await assertManagesTeam(tx, callerOf(call));
      const before = await removeMember(tx, { merchantId: call.merchant.id, accountId }, now());
      await judgeTeam(tx, { merchantId: call.merchant.id, from: before.role, to: null });
      const change = { action: 'removed a member', subject: { kind: 'member', id: accountId }, before };
      return { message: 'Member removed', data: null, change };
    },
  );
}

/** Leaving a business needs no permission. */
function leaveRoute(dashboard: Console, { now, judgeTeam }: TeamDeps): void {
  dashboard.write(
    'DELETE',
    'account',
    '/merchants/:merchant',
    { answer: Nothing },
    async (tx, { session, params }) => {
      const merchantId = params.merchant ?? '';
      if (!isUuid(merchantId)) throw refuse(kitErrors.not_found);
      const accountId = session.account.id;
      const before = await removeMember(tx, { merchantId, accountId }, now());
      await judgeTeam(tx, { merchantId, from: before.role, to: null });
      const change = {
        action: 'left the business',
        subject: { kind: 'member', id: accountId },
        before,
        merchantId,
      };
      return { message: 'You left the business', data: null, change };
    },
  );
}

function callerOf({ merchant, session }: Call<'merchant'>) {
  return { merchantId: merchant.id, accountId: session.account.id };
}

function memberIdOf({ account = '' }: Record<string, string>): string {
  if (!isUuid(account)) throw refuse(kitErrors.not_found);
  return account;
}
