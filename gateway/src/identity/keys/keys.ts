import { hash } from 'node:crypto';
import type { Clock } from '../../kit/clock.ts';
import { batched } from '../../kit/db/batch.ts';
import type { Database, Reader, Tx } from '../../kit/db/db.ts';
import { anyLength } from '../../kit/db/sql-arrays.ts';
import { type Id, newId, randomBase62 } from '../../kit/ids.ts';
import { type Seal, sealedColumn } from '../../kit/seal.ts';
import {
  type Integration,
  type IntegrationId,
  type IntegrationRow,
  integrationColumns,
  integrationOf,
  type Mode,
} from '../integration.ts';
import type { MemberRole } from '../roles.ts';
import { actionsLeft } from './maker-rights.ts';

export type ApiKeyId = Id<'api-key'>;

/** A key that is valid at this moment, with its integration. */
export type ApiKey = {
  id: ApiKeyId;
  mode: Mode;
  /** Whether webhooks are signed with it, now or once; others are restricted keys. */
  isSigning: boolean;
  /** null: every action but `namedOnly`, less what its maker may not do now; null: every address. */
  allowedActions: string[] | null;
  allowedAddresses: string[] | null;
  /**
   * The amounts that it may move in a day; null: no limit of its own. What `asksAbove` orders above them waits for a person's
   * approval, where it can.
   */
  allowance: { id: string; limits: DailyLimits; asksAbove: boolean } | null;
  /** The person who made it; null: it was made by command line, or with the integration. */
  madeBy: string | null;
  integration: Integration;
};

/** Decimals by asset code. An asset without an entry may not be funded. */
export type DailyLimits = Record<string, string>;

/** Signing keys are kept sealed, because webhooks are signed with them, and test keys, because they can be read again. */
export const sealedKeys = sealedColumn('api_keys', 'sealed');

const keyPattern = /^sk_(?:test|live)_[0-9A-Za-z]{32}$/;

/** 190 random bits need no slow hash: they cannot be guessed. */
function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

export type KeyDraft = {
  integrationId: IntegrationId;
  mode: Mode;
  kind: 'signing' | 'restricted';
  name: string | null;
  allowedActions: string[] | null;
  allowedAddresses: string[] | null;
  dailyLimits: DailyLimits | null;
  asksAbove: boolean;
  /** When it ends by itself; null: when somebody ends it. */
  endsAt: Date | null;
  allowanceId: string | null;
  madeBy: string | null;
};

/** Makes a key. The secret of a restricted live key is returned only here; others are also kept, sealed. */
export async function insertKey(
  tx: Tx,
  seal: Seal,
  draft: KeyDraft,
  now: Date,
): Promise<{ id: ApiKeyId; secret: string }> {
  const id = newId<'api-key'>(now);
  const secret = `sk_${draft.mode}_${randomBase62(32)}`;
  await tx.query(
    `INSERT INTO api_keys (id, integration_id, mode, kind, name, hash, hint, sealed, allowed_actions,
       allowed_addresses, daily_limits, allowance_id, created_at, made_by, asks_above, ends_at, valid_until)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)`,
    [
      id,
      draft.integrationId,
      draft.mode,
      draft.kind,
      draft.name,
      hashOf(secret),
      secret.slice(-4),
      draft.kind === 'signing' || draft.mode === 'test' ? seal.seal(secret, sealedKeys.at(id)) : null,
      draft.allowedActions,
      draft.allowedAddresses,
      draft.dailyLimits,
      draft.allowanceId,
      now,
      draft.madeBy,
      draft.asksAbove,
      draft.endsAt,
    ],
  );
  return { id, secret };
}

/** Makes a signing key. */
export async function createSigningKey(
  tx: Tx,
  seal: Seal,
  owner: { integrationId: IntegrationId; mode: Mode; madeBy?: string | null },
  now: Date,
): Promise<string> {
  const draft: KeyDraft = { ...unrestricted, ...owner, kind: 'signing', name: null };
  return (await insertKey(tx, seal, draft, now)).secret;
}

const unrestricted = {
  allowedActions: null,
  allowedAddresses: null,
  dailyLimits: null,
  asksAbove: false,
  endsAt: null,
  allowanceId: null,
  madeBy: null,
};

export type KeyOwner = { integrationId: string; mode: Mode };

/** The name of an owner in a map. */
export function ownerName({ integrationId, mode }: KeyOwner): string {
  return `${integrationId} ${mode}`;
}

/** Sorts valid signing keys `k`: the one that signs is first. The newest, the only one without an end, is last. */
export const signingOrder = 'k.valid_until IS NULL, k.created_at, k.id';

/** A signing key as it is kept. */
export type SealedKey = { id: string; sealed: Buffer };

/**
 * The keys that sign the webhooks of each owner, by `ownerName`; an owner without one is left out. While a key is
 * rolled, the oldest valid one signs until its owner switches (contract.md#webhooks).
 */
export async function signingKeys(reader: Reader, owners: KeyOwner[]): Promise<Map<string, SealedKey>> {
  const { rows } = await reader.query<SealedKey & { integration_id: string; mode: Mode }>({
    name: 'signing-keys',
    text: `SELECT DISTINCT ON (k.integration_id, k.mode) k.integration_id, k.mode, k.id, k.sealed
           FROM unnest(${anyLength('$1', 'uuid')}, ${anyLength('$2', 'text')}) AS t (integration_id, mode)
           JOIN api_keys k USING (integration_id, mode)
           WHERE k.kind = 'signing' AND k.signs AND (k.valid_until IS NULL OR k.valid_until > now())
           ORDER BY k.integration_id, k.mode, ${signingOrder}`,
    values: [owners.map((owner) => owner.integrationId), owners.map((owner) => owner.mode)],
  });
  return new Map(
    rows.map(({ integration_id, mode, id, sealed }) => [
      ownerName({ integrationId: integration_id, mode }),
      { id, sealed },
    ]),
  );
}

export function openKey(seal: Seal, { id, sealed }: SealedKey): string {
  return seal.open(sealed, sealedKeys.at(id));
}

/** The secrets of an integration's valid test keys, by the keys' ids. Keys from before secrets were kept have none. */
export async function testSecrets(
  reader: Reader,
  seal: Seal,
  integrationId: IntegrationId,
  now: Date,
): Promise<{ id: string; secret: string }[]> {
  const { rows } = await reader.query<SealedKey>(
    `SELECT id, sealed FROM api_keys
     WHERE integration_id = $1 AND mode = 'test' AND sealed IS NOT NULL AND (valid_until IS NULL OR valid_until > $2)
     ORDER BY id DESC`,
    [integrationId, now],
  );
  return rows.map((key) => ({ id: key.id, secret: openKey(seal, key) }));
}

/** The secrets of `signingKeys`. */
export async function signingSecrets(
  reader: Reader,
  seal: Seal,
  owners: KeyOwner[],
): Promise<Map<string, string>> {
  const keys = await signingKeys(reader, owners);
  return new Map([...keys].map(([owner, key]) => [owner, openKey(seal, key)]));
}

type KeyRow = IntegrationRow & {
  id: ApiKeyId;
  hash: Buffer;
  mode: Mode;
  kind: 'signing' | 'restricted';
  allowed_actions: string[] | null;
  allowed_addresses: string[] | null;
  daily_limits: DailyLimits | null;
  asks_above: boolean;
  allowance_id: string;
  made_by: string | null;
  maker_role: MemberRole | null;
};

/**
 * Looks secrets up in the database at each call, so that a revoked key or a suspended integration counts from the next
 * request on in every process. Simultaneous lookups share one statement.
 */
export function createKeyLookup(db: Database, now: Clock): (secret: string) => Promise<ApiKey | null> {
  const lookup = batched<Buffer, ApiKey | null>(async (hashes) => {
    const { rows } = await db.query<KeyRow>({
      name: 'find-keys',
      text: `SELECT k.id, k.hash, k.mode, k.kind, k.allowed_actions, k.allowed_addresses, k.daily_limits, k.asks_above,
                 coalesce(k.allowance_id, k.id) AS allowance_id, k.made_by, b.role AS maker_role,
                 ${integrationColumns}
               FROM api_keys k JOIN integrations i ON i.id = k.integration_id
                 LEFT JOIN members b ON b.merchant_id = i.merchant_id AND b.account_id = k.made_by
               WHERE k.hash = ANY ${anyLength('$1', 'bytea')} AND (k.valid_until IS NULL OR k.valid_until > $2)`,
      values: [unique(hashes), now()],
    });
    const found = new Map(rows.map((row) => [row.hash.toString('latin1'), apiKeyOf(row)]));
    return hashes.map((hash) => found.get(hash.toString('latin1')) ?? null);
  }, 1000);
  return async (secret) => (keyPattern.test(secret) ? await lookup(hashOf(secret)) : null);
}

function unique(hashes: Buffer[]): Buffer[] {
  return [...new Map(hashes.map((hash) => [hash.toString('latin1'), hash])).values()];
}

function apiKeyOf(row: KeyRow): ApiKey {
  return {
    id: row.id,
    mode: row.mode,
    isSigning: row.kind === 'signing',
    allowedActions:
      row.made_by === null ? row.allowed_actions : actionsLeft(row.maker_role, row.allowed_actions),
    allowedAddresses: row.allowed_addresses,
    allowance: row.daily_limits && {
      id: row.allowance_id,
      limits: row.daily_limits,
      asksAbove: row.asks_above,
    },
    madeBy: row.made_by,
    integration: integrationOf(row),
  };
}
