import { createReadStream } from 'node:fs';
import type { ArchiveSource } from './archive.ts';
import { decrypted } from './encrypt.ts';
import type { BackupPlace } from './places/place.ts';

/** A backup in a file of this machine, encrypted to one of the identities or not at all. */
export function sourceOfFile(path: string, identities: readonly string[]): ArchiveSource {
  return {
    name: path,
    open: async () => decrypted(createReadStream(path), { identities, name: path }),
  };
}

/** A backup in a place. */
export function sourceInPlace(
  place: BackupPlace,
  path: string,
  identities: readonly string[],
): ArchiveSource {
  const name = `${place.name}/${path}`;
  return { name, open: async () => decrypted(await place.get(path), { identities, name }) };
}
