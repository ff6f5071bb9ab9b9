import type { Clock } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/db.ts';
import type { Seal } from '../../kit/seal.ts';
import type { Change } from '../audit/audit-log.ts';
import {
  createFirstSigningKey,
  createRestrictedKey,
  type KeysOf,
  type Restrictions,
  revokeKey,
  rollKey,
  switchSigning,
} from './key-changes.ts';
import { actionsOfKey } from './key-list.ts';
import type { ApiKeyId } from './keys.ts';
import { assertMayGive, type KeyMaker } from './maker-rights.ts';

/** A change with its entry for the audit log, which the caller must record in the same transaction. */
type Made = { secret: string; change: Change };

/**
 * What people do with an integration's keys, in the dashboard or on the command line. Throws `role_may_not` for a key that
 * could move money which its maker may not move.
 */
export type KeyActs = {
  make(tx: Tx, owner: KeysOf, restrictions: Restrictions, by: KeyMaker): Promise<Made & { id: ApiKeyId }>;
  makeSigning(tx: Tx, owner: KeysOf, by: KeyMaker): Promise<Made>;
  roll(
    tx: Tx,
    owner: KeysOf,
    key: { keyId: string; overlapSeconds: number },
    by: KeyMaker,
  ): Promise<Made & { id: ApiKeyId; oldValidUntil: Date }>;
  revoke(tx: Tx, owner: KeysOf, keyId: string): Promise<Change>;
  switchSigning(tx: Tx, owner: KeysOf): Promise<Change>;
};

export function keyActs({ seal, now }: { seal: Seal; now: Clock }): KeyActs {
  const ofIntegration = ({ integrationId }: KeysOf) => ({
    subject: { kind: 'integration', id: integrationId },
    integrationId,
  });
  return {
    async make(tx, owner, restrictions, by) {
      assertMayGive(by, restrictions.actions);
      const { id, secret } = await createRestrictedKey(
        tx,
        seal,
        { ...owner, ...restrictions, madeBy: accountOf(by) },
        now(),
      );
      const after = { ...restrictions, mode: owner.mode, hint: hintOf(secret) };
      return { id, secret, change: { action: 'made a key', ...ofKey(owner, id), after } };
    },
    async makeSigning(tx, owner, by) {
      assertMayGive(by, null);
      const secret = await createFirstSigningKey(tx, seal, { ...owner, madeBy: accountOf(by) }, now());
      const action = `made the ${owner.mode} signing key`;
      return { secret, change: { action, ...ofIntegration(owner), after: { hint: hintOf(secret) } } };
    },
    async roll(tx, owner, { keyId, overlapSeconds }, by) {
      // `rollKey` refuses a key that the owner does not have.
      assertMayGive(by, await actionsOfKey(tx, owner, keyId));
      const madeBy = accountOf(by);
      const roll = await rollKey(tx, seal, { ...owner, keyId, overlapSeconds, madeBy }, now());
      const { id, secret, oldHint, oldValidUntil } = roll;
      const change = {
        action: 'rolled a key',
        ...ofKey(owner, keyId),
        before: { hint: oldHint, valid_until: null },
        after: { hint: hintOf(secret), old_valid_until: oldValidUntil, successor: id },
      };
      return { id, secret, oldValidUntil, change };
    },
    revoke: (tx, owner, keyId) => revokeAsChange(tx, owner, keyId, now()),
    async switchSigning(tx, owner) {
      await switchSigning(tx, owner, now());
      return { action: `switched ${owner.mode} webhooks to the new signing key`, ...ofIntegration(owner) };
    },
  };
}

const ofKey = ({ integrationId }: KeysOf, id: string) => ({ subject: { kind: 'key', id }, integrationId });

/** Ends a key at this moment, as `revokeKey` does; returns the entry for the audit log. */
export async function revokeAsChange(tx: Tx, owner: KeysOf, keyId: string, now: Date): Promise<Change> {
  const hint = await revokeKey(tx, owner, keyId, now);
  return { action: 'revoked a key', ...ofKey(owner, keyId), before: { hint } };
}

/** The account that may be asked to approve what the key asks for; null: there is none. */
function accountOf(by: KeyMaker): string | null {
  return by === 'command line' ? null : by.accountId;
}

/** The part of a secret by which people recognise it. */
function hintOf(secret: string): string {
  return secret.slice(-4);
}
