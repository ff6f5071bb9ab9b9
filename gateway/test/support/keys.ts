import { createHash } from 'node:crypto';
import type { IntegrationId, Mode } from '../../src/identity/integration.ts';
import type { Action } from '../../src/identity/keys/guards.ts';
import type { Database } from '../../src/kit/db/db.ts';
import { newId, randomBase62 } from '../../src/kit/ids.ts';

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Makes a restricted key of an integration and returns its secret. What is left out is not restricted. */
export async function restrictedKey(
  db: Database,
  integrationId: IntegrationId,
  { actions, addresses, mode = 'test' }: { actions?: Action[]; addresses?: string[]; mode?: Mode },
): Promise<string> {
  const secret = `sk_${mode}_${randomBase62(32)}`;
  await db.query(
    `INSERT INTO api_keys (id, integration_id, mode, kind, hash, hint, allowed_actions, allowed_addresses, created_at)
     VALUES ($1, $2, $3, 'restricted', $4, $5, $6, $7, now())`,
    [newId(), integrationId, mode, hashOf(secret), secret.slice(-4), actions, addresses],
  );
  return secret;
}

/** Ends a key at this moment. */
export async function revoke(db: Database, secret: string): Promise<void> {
  await db.query('UPDATE api_keys SET valid_until = now() WHERE hash = $1', [hashOf(secret)]);
}
