import { hash } from 'node:crypto';
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
  return hash('sha256', secret, 'buffer');
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

export type KeyOwner = { integrationId: string; mode: Mode };

/** Names an owner among many. */
export function ownerName({ integrationId, mode }: KeyOwner): string {
  return `${integrationId} ${mode}`;
}

/**
 * The secrets that sign the webhooks of each owner, by `ownerName`; an owner without one is left out. While a
 * key is being rolled the oldest one that is still good goes on signing (contract.md 4).
 */
export async function signingSecrets(
  reader: Reader,
  seal: Seal,
  owners: KeyOwner[],
): Promise<Map<string, string>> {
  const { rows } = await reader.query<{ integration_id: string; mode: Mode; sealed: Buffer }>({
    name: 'signing-secrets',
    text: `SELECT DISTINCT ON (k.integration_id, k.mode) k.integration_id, k.mode, k.sealed
           FROM unnest($1::uuid[], $2::text[]) AS t (integration_id, mode)
           JOIN api_keys k USING (integration_id, mode)
           WHERE k.kind = 'signing' AND (k.valid_until IS NULL OR k.valid_until > now())
           ORDER BY k.integration_id, k.mode, k.created_at`,
    values: [owners.map((owner) => owner.integrationId), owners.map((owner) => owner.mode)],
  });
  return new Map(
    rows.map(({ integration_id, mode, sealed }) => [
      ownerName({ integrationId: integration_id, mode }),
      seal.open(sealed),
    ]),
  );
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
  const lookup = batched<Buffer, ApiKey | null>(async (hashes) => {
    const { rows } = await db.query<KeyRow>({
      name: 'find-keys',
      text: `SELECT k.id, k.hash, k.mode, k.allowed_actions, k.allowed_addresses, ${integrationColumns}
               FROM api_keys k JOIN integrations i ON i.id = k.integration_id
               WHERE k.hash = ANY($1) AND (k.valid_until IS NULL OR k.valid_until > $2)`,
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
    allowedActions: row.allowed_actions,
    allowedAddresses: row.allowed_addresses,
    integration: integrationOf(row),
  };
}
