import type { BackupPlace, PlaceAddress } from './place.ts';

/** A bucket of S3, or of what speaks its protocol, as the place of backups. */
export function openBucket(_address: PlaceAddress & { kind: 's3' }): BackupPlace {
  throw new Error('not written yet');
}
