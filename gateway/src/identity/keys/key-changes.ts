import { after } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import type { Seal } from '../../kit/seal.ts';
import { identityErrors } from '../errors.ts';
import type { IntegrationId, Mode } from '../integration.ts';
import { type ApiKeyId, createSigningKey, type DailyLimits, insertKey } from './keys.ts';

/** Whose keys: those of one integration and mode. */
export type KeysOf = { integrationId: IntegrationId; mode: Mode };

export type Restrictions = {
  name: string;
  /** null: every call; null: every address; null: no daily limit. */
  actions: string[] | null;
  addresses: string[] | null;
  dailyLimits: DailyLimits | null;
  /** What it orders above its daily limits waits for a person's approval, in place of being refused. */
  asksAbove?: boolean;
  /** When it ends by itself; absent: it does not. */
  endsAt?: Date | null;
};

type StoredKey = {
  id: ApiKeyId;
  kind: 'signing' | 'restricted';
  name: string | null;
  hint: string;
  allowed_actions: string[] | null;
  allowed_addresses: string[] | null;
  daily_limits: DailyLimits | null;
  asks_above: boolean;
  ends_at: Date | null;
  allowance_id: string;
  valid_until: Date | null;
};

/** How many keys of one mode may be valid at the same time. */
const maxKeys = 50;

/** Makes the mode's first signing key. Throws `signing_key_exists`. */
export async function createFirstSigningKey(
  tx: Tx,
  seal: Seal,
  owner: KeysOf & { madeBy?: string | null },
  now: Date,
): Promise<string> {
  await lockKeys(tx, owner);
  const { rowCount } = await tx.query(
    `SELECT FROM api_keys WHERE integration_id = $1 AND mode = $2 AND kind = 'signing' AND valid_until IS NULL`,
    [owner.integrationId, owner.mode],
  );
  if (rowCount !== 0) throw refuse(identityErrors.signing_key_exists);
  return await createSigningKey(tx, seal, owner, now);
}

/** `madeBy`: the account that made it; null: none did. */
type RestrictedKey = KeysOf & Restrictions & { madeBy?: string | null };

/** Makes a key that may do less than the signing key. Throws `too_many_keys`. */
export async function createRestrictedKey(
  tx: Tx,
  seal: Seal,
  { actions, addresses, asksAbove = false, endsAt = null, madeBy = null, ...rest }: RestrictedKey,
  now: Date,
): Promise<{ id: ApiKeyId; secret: string }> {
  await lockKeys(tx, rest);
  await assertRoom(tx, rest, now);
  const draft = {
    ...{ ...rest, asksAbove, endsAt, madeBy },
    kind: 'restricted',
    allowedActions: actions,
    allowedAddresses: addresses,
    allowanceId: null,
  } as const;
  return await insertKey(tx, seal, draft, now);
}

type KeyRoll = KeysOf & { keyId: string; overlapSeconds: number; madeBy: string | null };

export type Roll = { id: ApiKeyId; secret: string; oldHint: string; oldValidUntil: Date };

/**
 * Makes a new key that may do exactly what the old one may, shares its daily limits and ends when it would. The old key ends
 * after `overlapSeconds`. Throws `not_found`, `key_ended`, `too_many_keys`.
 */
export async function rollKey(
  tx: Tx,
  seal: Seal,
  { keyId, overlapSeconds, madeBy, ...owner }: KeyRoll,
  now: Date,
): Promise<Roll> {
  await lockKeys(tx, owner);
  const key = await findKey(tx, owner, keyId);
  const isLive = key.ends_at === null || key.ends_at > now;
  if (!isLive || key.valid_until?.getTime() !== key.ends_at?.getTime())
    throw refuse(identityErrors.key_ended);
  if (overlapSeconds > 0) await assertRoom(tx, owner, now);
  const made = await insertKey(
    tx,
    seal,
    {
      ...owner,
      kind: key.kind,
      name: key.name,
      allowedActions: key.allowed_actions,
      allowedAddresses: key.allowed_addresses,
      dailyLimits: key.daily_limits,
      asksAbove: key.asks_above,
      endsAt: key.ends_at,
      allowanceId: key.allowance_id,
      madeBy,
    },
    now,
  );
  const overlapEnds = after(now, overlapSeconds);
  const oldValidUntil = key.ends_at !== null && key.ends_at < overlapEnds ? key.ends_at : overlapEnds;
  await endKey(tx, key.id, oldValidUntil, now);
  return { ...made, oldHint: key.hint, oldValidUntil };
}

/**
 * Ends a restricted key, or one that was rolled, at this moment; returns its hint. Throws `not_found`, `key_ended`, and
 * `key_signs` for a signing key that was not rolled.
 */
export async function revokeKey(tx: Tx, owner: KeysOf, keyId: string, now: Date): Promise<string> {
  await lockKeys(tx, owner);
  const key = await findKey(tx, owner, keyId);
  if (key.valid_until !== null && key.valid_until <= now) throw refuse(identityErrors.key_ended);
  if (key.kind === 'signing' && key.valid_until === null) throw refuse(identityErrors.key_signs);
  await endKey(tx, key.id, now, now);
  return key.hint;
}

/** From now on the newest signing key signs; rolled keys stay valid for calls. Throws `no_roll`. */
export async function switchSigning(tx: Tx, owner: KeysOf, now: Date): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE api_keys SET signs = false
     WHERE integration_id = $1 AND mode = $2 AND kind = 'signing' AND signs AND valid_until > $3`,
    [owner.integrationId, owner.mode, now],
  );
  if (rowCount === 0) throw refuse(identityErrors.no_roll);
}

/** Lets other changes of the integration's keys wait until this transaction ends. */
async function lockKeys(tx: Tx, { integrationId }: KeysOf): Promise<void> {
  await tx.query('SELECT FROM integrations WHERE id = $1 FOR NO KEY UPDATE', [integrationId]);
}

async function assertRoom(tx: Tx, { integrationId, mode }: KeysOf, now: Date): Promise<void> {
  const { rowCount } = await tx.query(
    `SELECT FROM api_keys WHERE integration_id = $1 AND mode = $2 AND (valid_until IS NULL OR valid_until > $3)
     LIMIT $4`,
    [integrationId, mode, now, maxKeys],
  );
  if (rowCount === maxKeys) throw refuse(identityErrors.too_many_keys, { limit: `${maxKeys}` });
}

async function findKey(tx: Tx, { integrationId, mode }: KeysOf, id: string): Promise<StoredKey> {
  const { rows } = await tx.query<StoredKey>(
    `SELECT id, kind, name, hint, allowed_actions, allowed_addresses, daily_limits, asks_above, ends_at,
       coalesce(allowance_id, id) AS allowance_id, valid_until
     FROM api_keys WHERE id = $1 AND integration_id = $2 AND mode = $3`,
    [id, integrationId, mode],
  );
  const key = rows[0];
  if (!key) throw refuse(kitErrors.not_found);
  return key;
}

/** Ends a key at `at`, which is then no longer the end that it was made with. One that ends now stops to sign, even if the clocks of database and gateway differ. */
async function endKey(tx: Tx, id: ApiKeyId, at: Date, now: Date): Promise<void> {
  await tx.query('UPDATE api_keys SET valid_until = $2, ends_at = NULL, signs = signs AND $3 WHERE id = $1', [
    id,
    at,
    at > now,
  ]);
}
