import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { settingOf } from '../config/secrets.ts';
import { type MasterKey, masterKeyBytes, masterKeyOf } from '../kit/seal.ts';
import { nameOfSecret, readSecretBytes, type Secret, type SecretFault } from '../kit/secret.ts';

/** The master keys of an installation, the newest first. */
export type KeyRing = readonly [MasterKey, ...MasterKey[]];

export function newMasterKey(): MasterKey {
  return masterKeyOf(randomBytes(masterKeyBytes));
}

/** Makes the file with a first key, completely or not at all: another gateway may start at the same time. */
export async function makeKeyFile(file: string): Promise<void> {
  if (existsSync(file)) return;
  const draft = await writeDraft(file, `${randomBytes(masterKeyBytes).toString('hex')}\n`);
  try {
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

export async function readKeyFile(file: string): Promise<KeyRing> {
  return parseRing(await readFile(file), file);
}

/** Reads the present keys from where they are kept. Throws an error that names the setting. */
export async function readKeys(source: Secret): Promise<KeyRing> {
  if (typeof source === 'string') return await readKeyFile(source);
  const content = await readSecretBytes(source, { isFresh: true }).catch((fault: SecretFault) => {
    throw new Error(`${settingOf('MASTER_KEY', source)} ${fault.message}`);
  });
  return parseRing(content, nameOfSecret(source));
}

/** Replaces the file in one step, also on the disk: after a power cut it has either the old keys or these. */
export async function writeKeyFile(file: string, ring: KeyRing): Promise<void> {
  // If the path is a link, its target is replaced.
  const target = await realpath(file);
  const draft = await writeDraft(target, formatRing(ring));
  try {
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
  const directory = await open(dirname(target));
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function writeDraft(file: string, content: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, content, { mode: 0o600, flag: 'wx', flush: true });
  return draft;
}

export function formatRing(ring: KeyRing): string {
  const keys = ring.map(({ id, bytes }) => ({ id, key: bytes.toString('hex') }));
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}

/**
 * One key (32 bytes: raw, as 64 hexadecimal digits, or in base64), or several as JSON, the newest first:
 * `{"keys": [{"key": "…"}]}`. `from` names where they come from.
 */
export function parseRing(content: Buffer, from: string): KeyRing {
  if (content.length === masterKeyBytes) return [masterKeyOf(content)];
  const text = content.toString('latin1').trim();
  const keys = (text.startsWith('{') ? ringTexts(text) : [text]).map(keyOf);
  const [newest, ...older] = keys.filter((key) => key !== null);
  if (!newest || older.length + 1 < keys.length) {
    throw new Error(`${from} must hold 32 bytes, raw, in hexadecimal or in base64, or keys as JSON`);
  }
  return [newest, ...older];
}

function ringTexts(text: string): string[] {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    return Array.isArray(keys) ? keys.map((entry: { key?: unknown } | null) => `${entry?.key ?? ''}`) : [];
  } catch {
    return [];
  }
}

function keyOf(text: string): MasterKey | null {
  const bytes = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
  return bytes.length === masterKeyBytes ? masterKeyOf(bytes) : null;
}
