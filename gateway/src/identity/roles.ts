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
