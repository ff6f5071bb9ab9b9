import { type Action, mayKey } from '../../identity/keys/guards.ts';
import type { ApiKey } from '../../identity/keys/keys.ts';
import { ownerOf } from '../../identity/owner.ts';
import { storeIdOf } from '../../identity/store-id.ts';

/**
 * The permissions of that API that mean something here, each with what a key may do by it (contract.md#btcpay). To see a
 * store's settings needs no right: every key may.
 */
export const doorPermissions = {
  'btcpay.store.canviewinvoices': 'read payments',
  'btcpay.store.cancreateinvoice': 'create payments',
  'btcpay.store.canmodifyinvoices': 'cancel payments',
  'btcpay.store.webhooks.canmodifywebhooks': 'manage webhooks',
  'btcpay.store.cancreatenonapprovedpullpayments': 'make refunds',
  'btcpay.store.canviewstoresettings': null,
} as const satisfies Record<string, Action | null>;

export type DoorPermission = keyof typeof doorPermissions;

/** Whether a key has a permission for its own store. */
export function hasPermission(key: ApiKey, permission: DoorPermission): boolean {
  const action = doorPermissions[permission];
  return action === null || mayKey(key, action);
}

/** What a key may do, in the words of that API: each permission with the one store that it is for. */
export function permissionsOf(key: ApiKey): string[] {
  const all = Object.keys(doorPermissions) as DoorPermission[];
  return all
    .filter((permission) => hasPermission(key, permission))
    .map((permission) => `${permission}:${storeIdOf(ownerOf(key))}`);
}
