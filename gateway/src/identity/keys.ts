import { createHash } from 'node:crypto';
import { batched } from '../kit/batch.ts';
import type { Clock } from '../kit/clock.ts';
import type { Database, Reader, Tx } from '../kit/db.ts';
import { type Id, newId, randomBase62 } from '../kit/ids.ts';
import type { Seal } from '../kit/seal.ts';
import {
  type Integration,
  type IntegrationId,
  type IntegrationRow,
  integrationColumns,
  integrationOf,
  type Mode,
} from './service.ts';

export type ApiKeyId = Id<'api-key'>;

/** A key that is good at this moment, with the integration that it speaks for. */
export type ApiKey = {
  id: ApiKeyId;
  mode: Mode;
  /** null: every action; null: every address. */
  allowedActions: string[] | null;
  allowedAddresses: string[] | null;
  integration: Integration;
};

const keyPattern = /^sk_(?:test|live)_[0-9A-Za-z]{32}$/;

/** 190 bits of randomness need no slow hash: nobody can search them. */
function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Makes a signing key; the secret is returned this once and kept sealed, because webhooks are signed with it. */
export async function createSigningKey(
  tx: Tx,
  seal: Seal,
  owner: { integrationId: IntegrationId; mode: Mode },
  now: Date,
): Promise<string> {
  const secret = `sk_${owner.mode}_${randomBase62(32)}`;
  await tx.query(
    `INSERT INTO api_keys (id, integration_id, mode, kind, hash, hint, sealed, created_at)
     VALUES ($1, $2, $3, 'signing', $4, $5, $6, $7)`,
    [newId(now), owner.integrationId, owner.mode, hashOf(secret), secret.slice(-4), seal.seal(secret), now],
  );
  return secret;
}

/**
 * The secret that signs the integration's webhooks in this mode. While a key is being rolled the oldest
 * one that is still good goes on signing (contract.md 4); null when there is none.
 */
export async function signingSecret(
  reader: Reader,
  seal: Seal,
  integrationId: string,
  mode: Mode,
): Promise<string | null> {
  const { rows } = await reader.query<{ sealed: Buffer }>(
    `SELECT sealed FROM api_keys
     WHERE integration_id = $1 AND mode = $2 AND kind = 'signing'
       AND (valid_until IS NULL OR valid_until > now())
     ORDER BY created_at LIMIT 1`,
    [integrationId, mode],
  );
  return rows[0] ? seal.open(rows[0].sealed) : null;
}

type KeyRow = IntegrationRow & {
  id: ApiKeyId;
  hash: Buffer;
  mode: Mode;
  allowed_actions: string[] | null;
  allowed_addresses: string[] | null;
};

/**
 * Looks secrets up as they stand in the database at that moment: a revoked key or a suspended integration
 * bites on the very next request of every process. Lookups that come together share one statement.
 */
export function createKeyLookup(db: Database, now: Clock): (secret: string) => Promise<ApiKey | null> {
  const lookup = batched<Buffer, ApiKey | null>(
    async (hashes) => {
      const { rows } = await db.query<KeyRow>({
        name: 'find-keys',
        text: `SELECT k.id, k.hash, k.mode, k.allowed_actions, k.allowed_addresses, ${integrationColumns}
               FROM api_keys k JOIN integrations i ON i.id = k.integration_id
               WHERE k.hash = ANY($1) AND (k.valid_until IS NULL OR k.valid_until > $2)`,
        values: [unique(hashes), now()],
      });
      const found = new Map(rows.map((row) => [row.hash.toString('latin1'), apiKeyOf(row)]));
      return hashes.map((hash) => found.get(hash.toString('latin1')) ?? null);
    },
    1000,
    2,
  );
  return async (secret) => (keyPattern.test(secret) ? await lookup(hashOf(secret)) : null);
}

function unique(hashes: Buffer[]): Buffer[] {
  return [...new Map(hashes.map((hash) => [hash.toString('latin1'), hash])).values()];
}

function apiKeyOf(row: KeyRow): ApiKey {
  return {
    id: row.id,
    mode: row.mode,
    allowedActions: row.allowed_actions,
    allowedAddresses: row.allowed_addresses,
    integration: integrationOf(row),
  };
}
