import { refuse } from '../../kit/errors.ts';
import { identityErrors } from '../errors.ts';
import { mayRole, type Permission, type Role } from '../roles.ts';
import { type Action, actions, namedOnly } from './actions.ts';

/** Who makes or rolls a key: a person in their role, or whoever has the command line of this installation. */
export type KeyMaker = { accountId: string; role: Role } | 'command line';

/** What a person must be allowed to do themselves before a key of theirs may do it. All else moves no money. */
const moneyActions: Partial<Record<Action, Permission>> = {
  'fund users': 'fund users',
  'make payouts': 'make payouts',
  'make refunds': 'make payouts',
};

/** The permission that a maker in this role lacks for a key that may do this; null: none. `role` null: no member. */
function lackedFor(role: Role | null, action: string): Permission | null {
  const permission = moneyActions[action as Action];
  if (permission === undefined) return null;
  return role !== null && mayRole(role, permission) ? null : permission;
}

/** What a key may do that names these; null: every call but those that must be named, as a signing key. */
function actionsFrom(named: readonly string[] | null): readonly string[] {
  return named ?? actions.filter((action) => !namedOnly.includes(action));
}

/** Refuses `role_may_not` where a key would move money that its maker may not move. */
export function assertMayGive(maker: KeyMaker, named: readonly string[] | null): void {
  if (maker === 'command line') return;
  for (const action of actionsFrom(named)) {
    const permission = lackedFor(maker.role, action);
    if (permission) throw refuse(identityErrors.role_may_not, { permission });
  }
}

/** The calls by which money leaves that a key of these may no longer make once its maker has this role, or none. */
export function actionsLost(role: Role | null, named: readonly string[] | null): string[] {
  return actionsFrom(named).filter((action) => lackedFor(role, action) !== null);
}

/** What a key that names these may do while its maker has this role, or none; null as in `actionsFrom`. */
export function actionsLeft(role: Role | null, named: readonly string[] | null): string[] | null {
  const lost = new Set(actionsLost(role, named));
  if (lost.size === 0) return named && [...named];
  return actionsFrom(named).filter((action) => !lost.has(action));
}

/** The calls that no key made in this role may make, each with the permission that is missing. */
export function withheldFrom(role: Role): Record<string, Permission> {
  const lacked = actions.flatMap((action) => {
    const permission = lackedFor(role, action);
    return permission ? [[action, permission] as const] : [];
  });
  return Object.fromEntries(lacked);
}
