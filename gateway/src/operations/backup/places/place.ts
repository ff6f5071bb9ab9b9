import type { PlaceAddress } from '../../../config/backups.ts';
import { openDirectory } from './directory.ts';
import { openBucket } from './s3.ts';
import type { BackupPlace } from './types.ts';

export type { BackupPlace } from './types.ts';

/** Opens a place; nothing is read or written by that. */
export function openPlace(address: PlaceAddress): BackupPlace {
  return address.kind === 'directory' ? openDirectory(address.path) : openBucket(address);
}
