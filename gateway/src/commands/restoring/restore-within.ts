import type { Tx } from '../../kit/db/db.ts';
import type { Migration } from '../../kit/db/migrate.ts';
import type { AuditReport } from '../../ledger/audit.ts';
import {
  type ArchiveSource,
  type Manifest,
  type Totals,
  verifyArchive,
  withArchive,
} from '../../operations/backup/archive.ts';
import { assertKnown, loadBackup } from '../../operations/backup/load.ts';
import type { OnProgress } from '../../operations/backup/progress.ts';
import { assertRing } from '../../operations/master-key.ts';
import type { KeyRing } from '../../operations/master-key-file.ts';
import { afterRestore } from './after-restore.ts';

/** What a restore wrote, and what is wrong with the ledger that it wrote. */
export type Restored = { manifest: Manifest; totals: Totals; audit: AuditReport };

/** The master keys that are there, and what they are called in messages. */
export type KeysAtHand = { read: () => Promise<KeyRing>; name: string };

/** Reads a whole backup and checks it, its version and its master key. Throws with a text for people. */
export async function checkBackup(
  source: ArchiveSource,
  migrations: Migration[],
  keys: KeysAtHand,
): Promise<Manifest> {
  return await withArchive(source, async (archive) => {
    await assertFits(archive.manifest, migrations, keys);
    await verifyArchive(archive);
    return archive.manifest;
  });
}

async function assertFits(manifest: Manifest, migrations: Migration[], keys: KeysAtHand): Promise<void> {
  assertKnown(manifest, migrations);
  const { key_check: proof, master_keys: ids = [] } = manifest;
  if (proof === null) return;
  const check = { proof: Buffer.from(proof, 'base64'), ids };
  assertRing(await keys.read(), check, { name: keys.name, whose: 'the backup' });
}

export type RestoreTerms = {
  source: ArchiveSource;
  migrations: Migration[];
  /** The serving role, which is granted its rights; null: the owner serves. */
  role: string | null;
  /** Who restores, for the reason why payouts are stopped. */
  by: string;
  now: Date;
  onProgress: OnProgress;
};

/**
 * Loads a checked backup into an empty database, and stops payouts, since what left after the backup is not in it. All in the
 * caller's transaction.
 */
export async function restoreWithin(tx: Tx, terms: RestoreTerms): Promise<Restored> {
  const { source, migrations, role, by, now: at, onProgress } = terms;
  return await withArchive(source, async (archive) => {
    const { manifest } = archive;
    const totals = await loadBackup(tx, archive, migrations, onProgress);
    const { created_at: madeAt } = manifest;
    const made = { restoredTo: new Date(madeAt), from: `from the backup of ${madeAt}` };
    return { manifest, totals, audit: await afterRestore(tx, { ...made, role, by, at }) };
  });
}
