import { existsSync } from 'node:fs';
import { carrySeal } from '../kit/db/carried-seal.ts';
import { type Database, type Reader, type Tx, transaction } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';
import {
  createSeal,
  type DerivedPurpose,
  derivedPurposes,
  deriveFrom,
  headerOf,
  type MasterKey,
  type MasterKeys,
  openEarlier,
  openVersion0,
  type Place,
  type Seal,
  sealUnder,
} from '../kit/seal.ts';
import { nameOfSecret, type Secret } from '../kit/secret.ts';
import { type KeyRing, makeKeyFile, readKeys } from './master-key-file.ts';
import { resealEarlier } from './reseal.ts';
import { sealedDerived } from './sealed-columns.ts';

/** The seal of an installation, which follows changes of the master keys while a process runs. */
export type OpenSeal = Seal & {
  /** Reads which key is active, and the file again where it does not know that key. Throws where the file lacks it. */
  follow(): Promise<void>;
  /** The ids of the keys that this process has, and of the one that it seals with. */
  keys(): { all: string[]; active: string };
};

export type KeyState = 'announced' | 'active' | 'old' | 'dropped';
type KeyRow = { id: string; state: KeyState };

const startLock = 706_771_002;

/**
 * Opens the installation's seal with the keys in `source`; where that is a missing file, it is made (0600). Seals
 * values from before the envelope again. Throws where the source lacks a key that values are sealed with: all gateways
 * of one database need the same keys.
 */
export async function openSeal(
  db: Database,
  source: Secret,
  onProgress: (sealed: number) => void = () => {},
): Promise<OpenSeal> {
  if (typeof source === 'string') await makeKeyFile(source);
  const file = nameOfSecret(source);
  const ring = await readKeys(source);
  const { rows, derived } = await transaction(db, (tx) => adopt(tx, ring, file));
  let keys = keysOf(rows, ring, file);
  const seal = sealUnder(
    () => keys,
    (purpose) => derived.get(purpose),
  );
  const { active } = keys;
  await resealEarlier(db, earlierUnder(seal, active, ring), onProgress);
  carrySeal(db, seal);
  return {
    ...seal,
    async follow() {
      const now = await knownKeys(db);
      const isNew = now.some(({ id }) => !keys.all.has(id));
      if (!isNew && now.length === keys.all.size && stateOf(now, 'active') === keys.active.id) return;
      const known = isNew ? await readKeys(source) : [...keys.all.values()];
      keys = keysOf(now, known, file);
    },
    keys: () => ({ all: [...keys.all.keys()], active: keys.active.id }),
  };
}

/** The keys that are not dropped. */
async function knownKeys(reader: Reader): Promise<KeyRow[]> {
  const { rows } = await reader.query<KeyRow>({
    name: 'master-keys',
    text: `SELECT id, state FROM master_keys WHERE state <> 'dropped' ORDER BY id`,
  });
  return rows;
}

function stateOf(rows: readonly KeyRow[], state: KeyState): string | undefined {
  return rows.find((row) => row.state === state)?.id;
}

/** A key that was only announced may be missing: no value is sealed with it yet. */
function keysOf(rows: readonly KeyRow[], known: readonly MasterKey[], file: string): MasterKeys {
  const byId = new Map(known.map((key) => [key.id, key]));
  const needed = rows.filter(({ state }) => state !== 'announced');
  const missing = needed.find(({ id }) => !byId.has(id));
  if (missing) {
    throw needed.some(({ id }) => byId.has(id))
      ? new Error(`${file} lacks the master key ${missing.id}, which values of this database are sealed with`)
      : wrongKey(file, 'this database');
  }
  const all = new Map(rows.flatMap(({ id }) => [byId.get(id) ?? []].flat()).map((key) => [key.id, key]));
  const active = all.get(stateOf(rows, 'active') ?? '');
  if (!active) throw new Error('No master key is active');
  return { active, all };
}

type Adopted = { rows: KeyRow[]; derived: Map<DerivedPurpose, Buffer> };

/** Notes the first key of a database, and makes its missing derived secrets. */
async function adopt(tx: Tx, ring: KeyRing, file: string): Promise<Adopted> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [startLock]);
  if ((await knownKeys(tx)).length === 0) await noteFirst(tx, await firstKey(tx, ring, file));
  const rows = await knownKeys(tx);
  const { active, all } = keysOf(rows, ring, file);
  const seal = sealUnder(
    () => ({ active, all }),
    () => undefined,
  );
  const derived = new Map<DerivedPurpose, Buffer>();
  for (const purpose of derivedPurposes) {
    const place = sealedDerived.at(purpose);
    await tx.query('INSERT INTO derived_keys (purpose, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      purpose,
      seal.seal(deriveFrom(active, purpose).toString('hex'), place),
    ]);
    const kept = await tx.query<{ sealed: Buffer }>('SELECT sealed FROM derived_keys WHERE purpose = $1', [
      purpose,
    ]);
    const text = seal.open(oneRow(kept, `key for ${purpose}`).sealed, place);
    derived.set(purpose, Buffer.from(text, 'hex'));
  }
  return { rows, derived };
}

/** The key that sealed this database before the envelope; the newest of the file where nothing was sealed yet. */
async function firstKey(tx: Tx, ring: KeyRing, file: string): Promise<MasterKey> {
  const { rows } = await tx.query<{ sealed: Buffer }>('DELETE FROM master_key_check RETURNING sealed');
  const [check] = rows;
  if (!check) return ring[0];
  const key = ring.find((each) => openVersion0(check.sealed, each.key) === proofText);
  if (!key) throw wrongKey(file, 'this database');
  return key;
}

async function noteFirst(tx: Tx, key: MasterKey): Promise<void> {
  await tx.query(`INSERT INTO master_keys (id, state, proof, since) VALUES ($1, 'active', $2, now())`, [
    key.id,
    proofOf(key),
  ]);
}

const proofText = 'florin';
const proofPlace = (id: string): Place => ({ table: 'master_keys', column: 'proof', row: id });

/** A text that only this key opens. */
export function proofOf(key: MasterKey): Buffer {
  return createSeal(key.bytes).seal(proofText, proofPlace(key.id));
}

function earlierUnder(seal: Seal, active: MasterKey, ring: KeyRing) {
  // Only the version is compared: after a restore values may be under any key of the file.
  const header = headerOf(active).subarray(0, 1);
  return { header, seal: (kept: Buffer, place: Place) => seal.seal(openEarlier(kept, ring), place) };
}

/** The keys that a backup needs, as it records them. */
export type KeyCheck = { proof: Buffer; ids: string[] };

/** The proof of the active key, and the ids of all keys that values may be sealed with; null before a key was used. */
export async function readKeyCheck(reader: Reader): Promise<KeyCheck | null> {
  const { rows } = await reader.query<{ id: string; state: KeyState; proof: Buffer }>(
    `SELECT id, state, proof FROM master_keys WHERE state IN ('active', 'old') ORDER BY state, id`,
  );
  const active = rows.find(({ state }) => state === 'active');
  return active ? { proof: active.proof, ids: rows.map(({ id }) => id) } : null;
}

/** Reads the keys in `source` for a backup. Throws where there are none. */
export async function keysForBackup(source: Secret, whose: string): Promise<KeyRing> {
  if (typeof source === 'string' && !existsSync(source)) {
    throw new Error(
      `There is no master key in ${source}, and ${whose}'s secrets are sealed with one. ` +
        'Put the key there, or set MASTER_KEY_FILE to its file.',
    );
  }
  return await readKeys(source);
}

/**
 * Throws unless the keys are those of a backup. One from before the envelope has no ids, and `proof` is version 0.
 * `name`: where the keys are from.
 */
export function assertRing(
  ring: KeyRing,
  { proof, ids }: KeyCheck,
  { name, whose }: { name: string; whose: string },
): void {
  if (ids.length === 0) {
    if (!ring.some(({ key }) => openVersion0(proof, key) === proofText)) throw wrongKey(name, whose);
    return;
  }
  const known = new Map(ring.map((key) => [key.id, key]));
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length === ids.length) throw wrongKey(name, whose);
  if (missing.length > 0) throw new Error(`${name} lacks the master key ${missing[0]}, which ${whose} needs`);
}

function wrongKey(file: string, whose: string): Error {
  return new Error(
    `The master key in ${file} is not the one that ${whose}'s secrets are sealed with. ` +
      'Put the right key there, or set MASTER_KEY_FILE to its file.',
  );
}
