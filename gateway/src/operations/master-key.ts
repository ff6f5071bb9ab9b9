import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { type Database, type Reader, transaction } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';
import { createSeal, type Seal } from '../kit/seal.ts';

const keyBytes = 32;

/**
 * Opens the installation's seal with the key in `file`, which is made (0600) when there is none. Throws when
 * the secrets in the database were sealed with another key: all gateways of one database need the same one.
 */
export async function openSeal(db: Database, file: string): Promise<Seal> {
  await makeKey(file);
  const seal = createSeal(await readKey(file));
  const sealed = await transaction(db, async (tx) => {
    await tx.query('INSERT INTO master_key_check (sealed) VALUES ($1) ON CONFLICT DO NOTHING', [
      seal.seal('florin'),
    ]);
    const kept = await tx.query<{ sealed: Buffer }>('SELECT sealed FROM master_key_check');
    return oneRow(kept, 'check of the master key').sealed;
  });
  assertOpens(seal, sealed, file, 'this database');
  return seal;
}

/** The sealed text in the database by which a master key is checked; null before a key was used. */
export async function readKeyCheck(reader: Reader): Promise<Buffer | null> {
  const { rows } = await reader.query<{ sealed: Buffer }>('SELECT sealed FROM master_key_check');
  return rows[0]?.sealed ?? null;
}

/** Throws unless `file` holds the master key that `sealed` was sealed with. `whose` names what needs it. */
export async function assertMasterKey(file: string, sealed: Buffer, whose: string): Promise<void> {
  if (!existsSync(file)) {
    throw new Error(
      `There is no master key in ${file}, and ${whose}'s secrets are sealed with one. ` +
        'Put the key there, or set MASTER_KEY_FILE to its file.',
    );
  }
  assertOpens(createSeal(await readKey(file)), sealed, file, whose);
}

function assertOpens(seal: Seal, sealed: Buffer, file: string, whose: string): void {
  try {
    seal.open(sealed);
  } catch {
    throw new Error(
      `The master key in ${file} is not the one that ${whose}'s secrets are sealed with. ` +
        'Put the right key there, or set MASTER_KEY_FILE to its file.',
    );
  }
}

/** Writes the key completely or not at all, so that a gateway which starts at the same moment reads no part of one. */
async function makeKey(file: string): Promise<void> {
  if (existsSync(file)) return;
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const key = `${randomBytes(keyBytes).toString('hex')}\n`;
    await writeFile(draft, key, { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

/** 32 bytes: raw, as 64 hexadecimal digits, or in base64. */
async function readKey(file: string): Promise<Buffer> {
  const content = await readFile(file);
  if (content.length === keyBytes) return content;
  const text = content.toString('latin1').trim();
  const key = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
  if (key.length !== keyBytes)
    throw new Error(`${file} must hold 32 bytes, raw, in hexadecimal or in base64`);
  return key;
}
