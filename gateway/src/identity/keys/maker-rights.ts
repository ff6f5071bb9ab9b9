import { refuse } from '../../kit/errors.ts';
import { identityErrors } from '../errors.ts';
import { mayRole, type Permission, type Role } from '../roles.ts';
import { type Action, actions, actionWords, namedOnly } from './actions.ts';

/** Who makes or rolls a key: a person in their role, or the command line of this installation. */
export type KeyMaker = { accountId: string; role: Role } | 'command line';

/** The actions that move money, with the permission that the maker of a key with it must have. */
const moneyActions: Partial<Record<Action, Permission>> = {
  'fund users': 'fund users',
  'make payouts': 'make payouts',
  'make refunds': 'make payouts',
};

/** The permission that a key with this action needs and its maker's role lacks; null: none. `role` null: no member. */
function lackedFor(role: Role | null, action: string): Permission | null {
  const permission = moneyActions[action as Action];
  if (permission === undefined) return null;
  return role !== null && mayRole(role, permission) ? null : permission;
}

/** The actions of a key with this list; null: it has no list, like a signing key, and all but `namedOnly`. */
function actionsFrom(named: readonly string[] | null): readonly string[] {
  return named ?? actions.filter((action) => !namedOnly.includes(action));
}

/** Throws `role_may_not` when a key with this list could move money that its maker may not move. */
export function assertMayGive(maker: KeyMaker, named: readonly string[] | null): void {
  if (maker === 'command line') return;
  for (const action of actionsFrom(named)) {
    const permission = lackedFor(maker.role, action);
    if (permission) throw refuse(identityErrors.role_may_not, { permission });
  }
}

/** The actions that a key with this list loses when its maker has this role; `role` null: no longer a member. */
export function actionsLost(role: Role | null, named: readonly string[] | null): string[] {
  return actionsFrom(named).filter((action) => lackedFor(role, action) !== null);
}

/** The list of a key without the actions that its maker's role does not allow; null as in `actionsFrom`. */
export function actionsLeft(role: Role | null, named: readonly string[] | null): string[] | null {
  const lost = new Set(actionsLost(role, named));
  if (lost.size === 0) return named && [...named];
  return actionsFrom(named).filter((action) => !lost.has(action));
}

/** The actions that a maker in this role can give to no key, each with the permission that is missing. */
export function withheldFrom(role: Role): Record<string, Permission> {
  const lacked = actions.flatMap((action) => {
    const permission = lackedFor(role, action);
    return permission ? [[action, permission] as const] : [];
  });
  return Object.fromEntries(lacked);
}

/** All actions as people are shown them. */
export const actionViews = actions.map((name) => ({
  ...{ name, words: actionWords[name] },
  named_only: namedOnly.includes(name),
  moves_money: name in moneyActions,
}));
