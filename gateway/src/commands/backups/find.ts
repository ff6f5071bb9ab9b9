import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Config } from '../../config/config.ts';
import type { ArchiveSource } from '../../operations/backup/archive.ts';
import { identitiesIn } from '../../operations/backup/encrypt.ts';
import { assertFile } from '../../operations/backup/path.ts';
import { openPlace } from '../../operations/backup/places/place.ts';
import { sourceInPlace, sourceOfFile } from '../../operations/backup/sources.ts';
import { backupFolder } from './make.ts';

const namePattern = /^(?:backups\/)?(florin-[\dTZ-]+\.backup(?:\.age)?)$/;

/** What a command is given: a file, or the name of a backup in BACKUP_TO. */
export type Named = { file: string; identity?: string | undefined };

/**
 * The backup that is meant: the file of that path, or else the one of that name in the place of BACKUP_TO. `identity` is the
 * file of an identity of age, or `-` for standard input.
 */
export async function findBackup(config: Config, { file, identity }: Named): Promise<ArchiveSource> {
  return await openBackup(config, file, await readIdentities(identity));
}

/** The same with the identities of age themselves. */
export async function openBackup(
  { backups }: Pick<Config, 'backups'>,
  file: string,
  identities: readonly string[],
): Promise<ArchiveSource> {
  const path = resolve(file);
  const [, name] = namePattern.exec(file) ?? [];
  if (name !== undefined && backups !== null && !existsSync(path)) {
    return sourceInPlace(openPlace(backups.to), `${backupFolder}/${name}`, identities);
  }
  await assertFile(path);
  return sourceOfFile(path, identities);
}

/** The identities in a file, or of `-` on standard input; none without a file. */
export async function readIdentities(file: string | undefined): Promise<string[]> {
  return file === undefined ? [] : identitiesIn(await textOf(file));
}

async function textOf(file: string): Promise<string> {
  if (file === '-') return await text(process.stdin);
  await assertFile(resolve(file));
  return await readFile(resolve(file), 'utf8');
}
