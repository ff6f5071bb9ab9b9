import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../../kit/db/system-errors.ts';

/** Throws, with a text for people, unless a new file may be made at an absolute path. */
export async function assertNewFile(path: string): Promise<void> {
  const directory = dirname(path);
  const kind = await kindOf(directory);
  if (kind === 'none') throw new Error(`There is no directory ${directory}`);
  if (kind === 'file') throw new Error(`${directory} is not a directory`);
  if (!(await hasAccess(directory, constants.W_OK))) throw new Error(`${directory} cannot be written to`);
  if ((await kindOf(path)) !== 'none')
    throw new Error(`${path} exists already, and a backup never replaces a file`);
}

/** Throws, with a text for people, unless the file at an absolute path may be read. */
export async function assertFile(path: string): Promise<void> {
  const kind = await kindOf(path);
  if (kind === 'none') throw new Error(`There is no file ${path}`);
  if (kind === 'directory') throw new Error(`${path} is a directory, not a backup`);
  if (!(await hasAccess(path, constants.R_OK))) throw new Error(`${path} cannot be read`);
}

async function kindOf(path: string): Promise<'file' | 'directory' | 'none'> {
  try {
    return (await stat(path)).isDirectory() ? 'directory' : 'file';
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error;
    return 'none';
  }
}

async function hasAccess(path: string, mode: number): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  );
}
