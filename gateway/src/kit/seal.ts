import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** Where a sealed value is stored. It cannot be opened for another place. */
export type Place = { table: string; column: string; row: string };

/** A column whose values are sealed, and the unique column that names its row, which never changes. */
export type SealedColumn = {
  table: string;
  column: string;
  key: string;
  keyType: 'uuid' | 'text';
  at(row: string): Place;
};

export function sealedColumn(
  table: string,
  column: string,
  key = 'id',
  keyType: SealedColumn['keyType'] = 'uuid',
): SealedColumn {
  return { table, column, key, keyType, at: (row) => ({ table, column, row }) };
}

/** The purposes of derived secrets. Each is the same in every process, and does not change with the master key. */
export const derivedPurposes = [
  'console sessions',
  'devices of the hosted page',
  'payments of payment links',
  'cookies of the wallet',
  'lines of drills',
  'payment requests',
] as const;
export type DerivedPurpose = (typeof derivedPurposes)[number];

/** Encrypts secrets at rest under the installation's master key. */
export type Seal = {
  seal(text: string, place: Place): Buffer;
  open(sealed: Buffer, place: Place): string;
  /** A key of 32 bytes for one purpose. No other key can be computed from it. */
  derive(purpose: DerivedPurpose): Buffer;
};

export type MasterKey = {
  /** 16 hexadecimal digits that follow from the key, and from which it cannot be computed. */
  id: string;
  /** The id in bytes, as each value contains it. */
  mark: Buffer;
  key: KeyObject;
  bytes: Buffer;
};

/** The master keys that a process has, and the one that it seals with. */
export type MasterKeys = { active: MasterKey; all: ReadonlyMap<string, MasterKey> };

export const masterKeyBytes = 32;
const algorithm = 'aes-256-gcm';
/** A shorter tag is refused. */
const wholeTag = { authTagLength: 16 };
const version = 1;
const markBytes = 8;
const nonceBytes = 12;
const tagBytes = wholeTag.authTagLength;
/** The length of the version and the id of the key, which are signed with the value. */
export const headerBytes = 1 + markBytes;
const tagAt = headerBytes + nonceBytes;
const bodyAt = tagAt + tagBytes;

export function masterKeyOf(bytes: Buffer): MasterKey {
  if (bytes.length !== masterKeyBytes) throw new Error('The master key must be 32 bytes');
  const mark = Buffer.from(hkdfSync('sha256', bytes, '', 'florin master key id', markBytes));
  return { id: mark.toString('hex'), mark, key: createSecretKey(bytes), bytes };
}

/** A key for one purpose out of a master key. */
export function deriveFrom({ bytes }: MasterKey, purpose: DerivedPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', bytes, '', `florin ${purpose}`, masterKeyBytes));
}

/** The first bytes of all values of a master key. */
export function headerOf({ mark }: MasterKey): Buffer {
  return Buffer.concat([Buffer.of(version), mark]);
}

/**
 * The place and key that are signed with the text. No name holds a zero byte, so two places never have the same bytes.
 */
function signedWith({ id }: MasterKey, { table, column, row }: Place): Buffer {
  return Buffer.from(`${version} ${id}\0${table}\0${column}\0${row}`, 'utf8');
}

function keyOf(sealed: Buffer, { active, all }: MasterKeys): MasterKey {
  if (active.mark.compare(sealed, 1, headerBytes) === 0) return active;
  const id = sealed.toString('hex', 1, headerBytes);
  const known = all.get(id);
  if (!known) throw new Error(`This process does not have the master key ${id}`);
  return known;
}

/**
 * AES-256-GCM. A sealed value is version, id of the key, nonce, tag and ciphertext. Opening throws when a bit was
 * changed, when the value was sealed for another place, and when the process does not have its key.
 */
export function sealUnder(
  keys: () => MasterKeys,
  derived: (purpose: DerivedPurpose) => Buffer | undefined,
): Seal {
  return {
    seal(text, place) {
      const { active } = keys();
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, active.key, nonce, wholeTag);
      cipher.setAAD(signedWith(active, place));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([headerOf(active), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, place) {
      if (sealed[0] !== version || sealed.length < bodyAt) {
        throw new Error(
          `${place.table}.${place.column} holds a value that is not sealed as this version seals`,
        );
      }
      const known = keyOf(sealed, keys());
      const nonce = sealed.subarray(headerBytes, tagAt);
      const decipher = createDecipheriv(algorithm, known.key, nonce, wholeTag);
      decipher.setAAD(signedWith(known, place));
      decipher.setAuthTag(sealed.subarray(tagAt, bodyAt));
      return decipher.update(sealed.subarray(bodyAt), undefined, 'utf8') + decipher.final('utf8');
    },
    derive(purpose) {
      const key = derived(purpose);
      if (!key) throw new Error(`There is no key for ${purpose}`);
      return key;
    },
  };
}

/** A seal with one master key, whose other secrets follow from it. */
export function createSeal(masterKey: Buffer): Seal {
  const active = masterKeyOf(masterKey);
  const keys = { active, all: new Map([[active.id, active]]) };
  return sealUnder(
    () => keys,
    (purpose) => deriveFrom(active, purpose),
  );
}

/** How values were kept before the envelope: as version 0, which names neither key nor place, or unsealed. */
const earlierSealed = 0;
const earlierPlain = 255;

/** Opens a value from before the envelope. Only for sealing it again. */
export function openEarlier(kept: Buffer, keys: Iterable<MasterKey>): string {
  const value = kept.subarray(1);
  if (kept[0] === earlierPlain) return value.toString('utf8');
  if (kept[0] !== earlierSealed)
    throw new Error('A value is neither sealed nor as it was before the envelope');
  for (const { key } of keys) {
    const text = openVersion0(value, key);
    if (text !== null) return text;
  }
  throw new Error('A value was sealed with a master key that is not here');
}

/** Null when the key is another one, or when a bit was changed. */
export function openVersion0(sealed: Buffer, key: KeyObject): string | null {
  try {
    const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), wholeTag);
    decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
    return (
      decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    );
  } catch {
    return null;
  }
}
