/** What a person may do with a merchant's integrations, in the words of the refusal `Your role may not {permission}`. */
export const permissions = [
  'read',
  'export',
  'manage the team',
  'manage integrations',
  'manage keys',
  'manage webhooks',
  'resend webhooks',
  'create payments',
  'cancel payments',
  'use test mode',
  'fund users',
  'make payouts',
  'manage payouts',
  'answer appeals',
  'accept appeals',
  'read the audit log',
  'get notices',
] as const;

export type Permission = (typeof permissions)[number];

/** What each permission allows, as it reads after "may". The dashboard and the docs describe roles by these words alone. */
export const permissionWords: Readonly<Record<Permission, string>> = {
  read: 'see payments, balances and settings',
  export: 'download exports and statements',
  'manage the team': 'invite people, change their roles and remove them',
  'manage integrations': 'create integrations and change their settings',
  'manage keys': 'create, roll and revoke keys',
  'manage webhooks': 'set up webhook endpoints',
  'resend webhooks': 'send webhooks again',
  'create payments': 'create payments and payment links',
  'cancel payments': 'cancel payments',
  'use test mode': 'simulate test payments and move the test clock',
  'fund users': 'add money of the business to users’ wallets',
  'make payouts': 'send money away by payouts and refunds, and approve what others ask for',
  'manage payouts': 'turn payouts on, and set their limits and how many people approve them',
  'answer appeals': 'answer appeals',
  'accept appeals': 'decide appeals: keep the money or return it',
  'read the audit log': 'see in the audit log who changed what',
  'get notices': 'get notices',
};

/** The permissions by which money leaves a business. */
const movingMoney: readonly Permission[] = ['make payouts', 'fund users', 'accept appeals'];

export const memberRoles = ['owner', 'developer', 'finance', 'support', 'read-only'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** Operators may read the pages of every merchant, and change nothing there unless they are members. */
export type Role = MemberRole | 'operator';

const table: Record<Role, readonly Permission[]> = {
  owner: permissions,
  developer: [
    'read',
    'export',
    'manage integrations',
    'manage keys',
    'manage webhooks',
    'resend webhooks',
    'create payments',
    'cancel payments',
    'use test mode',
    'read the audit log',
    'get notices',
  ],
  finance: [
    'read',
    'export',
    'manage keys',
    'create payments',
    'fund users',
    'make payouts',
    'answer appeals',
    'accept appeals',
    'get notices',
  ],
  support: [
    'read',
    'resend webhooks',
    'create payments',
    'cancel payments',
    'use test mode',
    'answer appeals',
    'get notices',
  ],
  'read-only': ['read', 'get notices'],
  operator: ['read', 'export', 'read the audit log'],
};

export function permissionsOf(role: Role): readonly Permission[] {
  return table[role];
}

export function mayRole(role: Role, permission: Permission): boolean {
  return table[role].includes(permission);
}

/** A permission as people are shown it. */
export type PermissionView = { name: Permission; words: string; moves_money: boolean };

/** The permissions of a role, or all, in words: first those that move money. */
export function viewOf(shown: readonly Permission[]): PermissionView[] {
  const moving = movingMoney.filter((name) => shown.includes(name));
  const others = shown.filter((name) => !movingMoney.includes(name));
  return [...moving, ...others].map((name) => ({
    ...{ name, words: permissionWords[name] },
    moves_money: movingMoney.includes(name),
  }));
}

/** Whether the second role lacks a permission of the first; `to` null: no longer a member. */
export function loses(from: Role, to: Role | null): boolean {
  return to === null || table[from].some((permission) => !table[to].includes(permission));
}
