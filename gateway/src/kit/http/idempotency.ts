import { createHash } from 'node:crypto';
import { isLockTimeout, type Reader, type Tx } from '../db/db.ts';
import { kitErrors, Refusal, refuse } from '../errors.ts';
import { isCleanText } from './fields.ts';

/** A client's Idempotency-Key, its scope (integration, mode and route) and the hash of the body it was sent with. */
export type IdempotencyKey = { scope: string; key: string; fingerprint: Buffer };

/** The outcome of claiming a key: it is new, or the stored body of the request that used it first. */
export type Claim = 'new' | { replay: string };

/** What a keyed write answers: the exact body, and whether it is an earlier request's. */
export type Answer = { body: string; replayed: boolean };

const maxLength = 255;

/**
 * Reads the header, bare or quoted. Returns null when it is absent. An empty or too long one is refused, so that no
 * client relies on a key that has no effect.
 */
export function readIdempotencyKey(
  header: string | string[] | undefined,
  scope: string,
  body: Buffer | undefined,
): IdempotencyKey | null {
  if (header === undefined) return null;
  const raw = Array.isArray(header) ? header.join() : header;
  const key = /^"(.*)"$/.exec(raw)?.[1] ?? raw;
  if (key.length === 0 || key.length > maxLength) {
    throw refuse(kitErrors.field_invalid, {
      field: 'Idempotency-Key',
      why: `must have 1 to ${maxLength} characters`,
    });
  }
  const fingerprint = createHash('sha256')
    .update(body ?? '')
    .digest();
  return { scope: storable(scope), key, fingerprint };
}

/** A scope holds names from the request's path, and the database stores no NUL. */
function storable(scope: string): string {
  return isCleanText(scope) ? scope : encodeURIComponent(scope.toWellFormed());
}

type StoredKey = { scope: string; key: string; fingerprint: Buffer; response: string | null };

/**
 * Claims each key in the transaction of its effect, with the body to replay later (null when it is not
 * known yet). Waits for another transaction that claims the same key. The keys must differ.
 */
export async function claimKeys(
  tx: Tx,
  claims: { key: IdempotencyKey; response: string | null }[],
  now: Date,
): Promise<(Claim | Refusal)[]> {
  const inserted = await insertKeys(tx, claims, now);
  const ours = new Set(inserted.map((row) => `${row.scope} ${row.key}`));
  const results: (Claim | Refusal)[] = [];
  for (const { key } of claims) {
    if (ours.has(`${key.scope} ${key.key}`)) results.push('new');
    else results.push(claimOf(key, await findKey(tx, key)));
  }
  return results;
}

async function insertKeys(
  tx: Tx,
  claims: { key: IdempotencyKey; response: string | null }[],
  now: Date,
): Promise<{ scope: string; key: string }[]> {
  const inserted = tx.query<{ scope: string; key: string }>({
    name: 'claim-keys',
    text: `INSERT INTO idempotency_keys (scope, key, fingerprint, response, created_at)
     SELECT scope, key, fingerprint, response, $5
     FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[]) AS t(scope, key, fingerprint, response)
     ORDER BY scope, key
     ON CONFLICT DO NOTHING
     RETURNING scope, key`,
    values: [
      claims.map(({ key }) => key.scope),
      claims.map(({ key }) => key.key),
      claims.map(({ key }) => key.fingerprint),
      claims.map(({ response }) => response),
      now,
    ],
  });
  // Another transaction holds the key for longer than a statement may wait.
  const { rows } = await inserted.catch((error: unknown) => {
    throw isLockTimeout(error) ? refuse(kitErrors.idempotency_in_use) : error;
  });
  return rows;
}

/** Releases keys whose write was refused: a refusal is not stored, and the next request is handled again. */
export async function releaseKeys(tx: Tx, keys: Pick<IdempotencyKey, 'scope' | 'key'>[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(
    `DELETE FROM idempotency_keys USING unnest($1::text[], $2::text[]) AS t(scope, key)
     WHERE idempotency_keys.scope = t.scope AND idempotency_keys.key = t.key`,
    [keys.map((key) => key.scope), keys.map((key) => key.key)],
  );
}

/**
 * The body that is stored under the key, or null when the key is free. Throws when it was used with another request.
 * Returns `{ replay: null }` while the write of an earlier request has not ended.
 */
export async function findReplay(
  reader: Reader,
  key: IdempotencyKey,
): Promise<{ replay: string | null } | null> {
  const stored = await findKey(reader, key);
  if (!stored) return null;
  if (!stored.fingerprint.equals(key.fingerprint)) throw refuse(kitErrors.idempotency_mismatch);
  return { replay: stored.response };
}

/** Stores the bodies of requests that were not known yet when their keys were claimed. */
export async function completeKeys(
  tx: Tx,
  answered: (Pick<IdempotencyKey, 'scope' | 'key'> & { body: string })[],
): Promise<void> {
  if (answered.length === 0) return;
  await tx.query({
    name: 'complete-keys',
    text: `UPDATE idempotency_keys k SET response = t.body
           FROM unnest($1::text[], $2::text[], $3::text[]) AS t (scope, key, body)
           WHERE k.scope = t.scope AND k.key = t.key`,
    values: [
      answered.map(({ scope }) => scope),
      answered.map(({ key }) => key),
      answered.map(({ body }) => body),
    ],
  });
}

/** Runs a keyed write once: returns the stored body when the key was used before, else the body that `work` returns. */
export async function once(
  tx: Tx,
  key: IdempotencyKey | null,
  now: Date,
  work: () => Promise<string>,
): Promise<Answer> {
  if (!key) return { body: await work(), replayed: false };
  const [claim] = await claimKeys(tx, [{ key, response: null }], now);
  if (claim instanceof Refusal) throw claim;
  if (claim !== undefined && claim !== 'new') return { body: claim.replay, replayed: true };
  const body = await work();
  await completeKeys(tx, [{ ...key, body }]);
  return { body, replayed: false };
}

/**
 * Runs a keyed write that claims its key itself. Where it is refused and the key was used before, the outcome is that
 * of the earlier request: its stored body, or the refusal of a key that was used with another request.
 */
export async function replayOr(
  reader: Reader,
  key: IdempotencyKey | null,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!key || !(error instanceof Refusal)) throw error;
    const stored = await findReplay(reader, key);
    if (stored?.replay) return { body: stored.replay, replayed: true };
    throw error;
  }
}

const forgottenAtOnce = 1_000;

/** Deletes keys older than `before` whose write has ended, `atOnce` in a statement; returns how many in all. */
export async function forgetKeys(reader: Reader, before: Date, atOnce = forgottenAtOnce): Promise<number> {
  for (let forgotten = 0; ; ) {
    const { rowCount } = await reader.query({
      name: 'forget-keys',
      text: `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM idempotency_keys WHERE created_at < $1 AND response IS NOT NULL
          ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      values: [before, atOnce],
    });
    forgotten += rowCount ?? 0;
    if ((rowCount ?? 0) < atOnce) return forgotten;
  }
}

async function findKey(reader: Reader, { scope, key }: IdempotencyKey): Promise<StoredKey | undefined> {
  const { rows } = await reader.query<StoredKey>(
    'SELECT scope, key, fingerprint, response FROM idempotency_keys WHERE scope = $1 AND key = $2',
    [scope, key],
  );
  return rows[0];
}

function claimOf(key: IdempotencyKey, stored: StoredKey | undefined): Claim | Refusal {
  // It was released between the two statements, because its write was refused. The client may try again.
  if (!stored) return refuse(kitErrors.idempotency_in_use);
  if (!stored.fingerprint.equals(key.fingerprint)) return refuse(kitErrors.idempotency_mismatch);
  if (stored.response === null) return refuse(kitErrors.idempotency_in_use);
  return { replay: stored.response };
}
