import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

/** Reads the installation's master key: 32 bytes, as 64 hexadecimal digits or 44 base64 characters. */
export async function readMasterKey(file: string): Promise<Buffer> {
  const text = (await readFile(file, 'utf8')).trim();
  const key = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
  if (key.length !== 32) throw new Error(`${file} must hold 32 bytes in hexadecimal or base64`);
  return key;
}

/** The same, made at the first start: 0600, and never written over. */
export async function readOrMakeMasterKey(file: string): Promise<Buffer> {
  const fresh = `${randomBytes(32).toString('hex')}\n`;
  await writeFile(file, fresh, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return await readMasterKey(file);
}
