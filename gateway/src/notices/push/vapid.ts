import type { Database } from '../../kit/db/db.ts';
import { type Seal, sealedColumn } from '../../kit/seal.ts';

/** The private key by which push services know this installation. */
export const sealedVapid = sealedColumn('notice_keys', 'private_key', 'name', 'text');

const name = 'vapid';

export type Vapid = { publicKey: string; privateKey: string };

/** The library is loaded by who uses push first. */
export const loadWebPush = async () => (await import('web-push')).default;

/**
 * The keys that push services and browsers know this installation by (RFC 8292), made at their first use and then the same
 * for ever: with other keys every device would have to subscribe anew.
 */
export function createVapid(db: Database, seal: Seal): () => Promise<Vapid> {
  let known: Vapid | undefined;
  return async () => {
    known ??= (await read(db, seal)) ?? (await make(db, seal));
    return known;
  };
}

async function read(db: Database, seal: Seal): Promise<Vapid | undefined> {
  const { rows } = await db.query<{ public_key: string; private_key: Buffer }>(
    'SELECT public_key, private_key FROM notice_keys WHERE name = $1',
    [name],
  );
  const row = rows[0];
  return row && { publicKey: row.public_key, privateKey: seal.open(row.private_key, sealedVapid.at(name)) };
}

async function make(db: Database, seal: Seal): Promise<Vapid> {
  const { publicKey, privateKey } = (await loadWebPush()).generateVAPIDKeys();
  await db.query(
    'INSERT INTO notice_keys (name, public_key, private_key) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING',
    [name, publicKey, seal.seal(privateKey, sealedVapid.at(name))],
  );
  // Another process may have been first.
  const kept = await read(db, seal);
  if (!kept) throw new Error('the keys of web push were not kept');
  return kept;
}
