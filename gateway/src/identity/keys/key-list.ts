import { after } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import type { MemberRole } from '../roles.ts';
import type { KeysOf } from './key-changes.ts';
import { type DailyLimits, signingOrder } from './keys.ts';
import { actionsLost } from './maker-rights.ts';

/** A key as its owner sees it, with only the last characters of the secret. */
export type ListedKey = {
  id: string;
  kind: 'signing' | 'restricted';
  name: string | null;
  hint: string;
  /** Whether webhooks are signed with it at this moment. */
  signing: boolean;
  actions: string[] | null;
  /** Of these the calls that it may not make now, since whoever made it may not. */
  lost: string[];
  addresses: string[] | null;
  daily_limits: DailyLimits | null;
  /** What it orders above its limits waits for a person's approval. */
  asks_above: boolean;
  created_at: Date;
  last_used_at: Date | null;
  last_used_from: string | null;
  /** False once it has ended. */
  good: boolean;
  /** The end that it was made with; null: none, or it was rolled or revoked since. */
  ends_at: Date | null;
  /** Set when it was rolled or revoked, and where it ends by itself. */
  valid_until: Date | null;
};

type KeyRow = Omit<ListedKey, 'lost'> & { made_by: string | null; maker_role: MemberRole | null };

/** How long a key is shown after it ended. */
const shownSeconds = 30 * 24 * 3600;

/** Up to `limit` keys of one mode before the key `before` (or the newest), newest first. */
export async function listKeys(
  reader: Reader,
  { integrationId, mode }: KeysOf,
  { before, limit }: { before: string | null; limit: number },
  now: Date,
): Promise<ListedKey[]> {
  const { rows } = await reader.query<KeyRow>(
    `SELECT k.id, k.kind, k.name, 'sk_' || k.mode || '_…' || k.hint AS hint,
       k.allowed_actions AS actions, k.allowed_addresses AS addresses, k.daily_limits,
       k.asks_above, k.created_at, k.last_used_at, k.last_used_from, k.ends_at, k.valid_until,
       (k.valid_until IS NULL OR k.valid_until > $5) AS good,
       k.id IS NOT DISTINCT FROM (
         SELECT k.id FROM api_keys k
         WHERE k.integration_id = $1 AND k.mode = $2 AND k.kind = 'signing' AND k.signs
           AND (k.valid_until IS NULL OR k.valid_until > $5)
         ORDER BY ${signingOrder} LIMIT 1) AS signing, k.made_by, b.role AS maker_role
     FROM api_keys k JOIN integrations i ON i.id = k.integration_id
       LEFT JOIN members b ON b.merchant_id = i.merchant_id AND b.account_id = k.made_by
     WHERE k.integration_id = $1 AND k.mode = $2 AND ($3::uuid IS NULL OR k.id < $3)
       AND (k.valid_until IS NULL OR k.valid_until > $6)
     ORDER BY k.id DESC LIMIT $4`,
    [integrationId, mode, before, limit, now, after(now, -shownSeconds)],
  );
  return rows.map(({ made_by, maker_role, ...key }) => ({
    ...key,
    lost: made_by === null ? [] : actionsLost(maker_role, key.actions),
  }));
}

/** Whose key this is; null for an unknown id. */
export async function ownerOfKey(reader: Reader, keyId: string): Promise<KeysOf | null> {
  const { rows } = await reader.query<KeysOf>(
    'SELECT integration_id AS "integrationId", mode FROM api_keys WHERE id = $1',
    [keyId],
  );
  return rows[0] ?? null;
}

/** A key as the program that has it is told of it. */
export type OwnKey = Pick<ListedKey, 'kind' | 'name' | 'hint' | 'valid_until'>;

/** What is stored of a valid key beside its rights; `hint` shows the end of its secret. */
export async function ownKey(reader: Reader, keyId: string): Promise<OwnKey> {
  const found = await reader.query<OwnKey>(
    `SELECT kind, name, 'sk_' || mode || '_…' || hint AS hint, valid_until FROM api_keys WHERE id = $1`,
    [keyId],
  );
  return oneRow(found, 'key');
}

/** The calls in the list of a key; null: it has no list, and may make all but `namedOnly`. Empty for an unknown key. */
export async function actionsOfKey(
  reader: Reader,
  { integrationId, mode }: KeysOf,
  keyId: string,
): Promise<string[] | null> {
  const { rows } = await reader.query<{ actions: string[] | null }>(
    'SELECT allowed_actions AS actions FROM api_keys WHERE id = $1 AND integration_id = $2 AND mode = $3',
    [keyId, integrationId, mode],
  );
  return rows[0] ? rows[0].actions : [];
}

/** The name of a restricted key; null: it has none. */
export async function nameOfKey(reader: Reader, keyId: string): Promise<string | null> {
  const { rows } = await reader.query<{ name: string | null }>('SELECT name FROM api_keys WHERE id = $1', [
    keyId,
  ]);
  return rows[0]?.name ?? null;
}
