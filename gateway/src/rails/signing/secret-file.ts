import { readFile, stat } from 'node:fs/promises';
import { SendFault } from './send-fault.ts';

/** What a file of a signer holds, read anew each time, so that a changed one counts at once. Throws SendFault. */
export async function readSecret(path: string, what: 'key' | 'token'): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SendFault(
      `The ${what} file ${path} of the signer cannot be read (${error.code ?? error.name})`,
    );
  });
  return text.trim();
}

/** What is wrong with who may read a key file, in words; null: nothing. */
export async function openFileWarning(path: string): Promise<string | null> {
  const { mode } = await stat(path);
  const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0;
  return isOpen ? `Others can read the key file ${path}: chmod 600 it` : null;
}
