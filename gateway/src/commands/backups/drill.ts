import type pg from 'pg';
import { transaction } from '../../kit/db/db.ts';
import type { Migration } from '../../kit/db/migrate.ts';
import { type ArchiveSource, withArchive } from '../../operations/backup/archive.ts';
import { assertKnown, loadBackup } from '../../operations/backup/load.ts';
import type { DrillReport } from '../../operations/backup-records/records.ts';
import { withScratchDatabase } from '../../operations/scratch/scratch-database.ts';
import { compareBooks } from './books.ts';
import type { Live } from './live.ts';

export type Drilling = {
  /** The role that may make a database beside the live one. */
  owner: pg.PoolConfig;
  migrations: Migration[];
  /** What the database had at the moment of the backup; null: it is not known. */
  live: Live | null;
};

/**
 * Loads a backup into a database of its own, which is dropped afterwards, and recomputes there the ledger and the hash chain,
 * and what the money of each asset sums up to. Throws where it cannot be loaded; `findings` of the report: what does not agree.
 */
export async function tryBackup(source: ArchiveSource, drilling: Drilling): Promise<DrillReport> {
  const { owner, migrations, live } = drilling;
  return await withScratchDatabase(owner, async (db) => {
    const totals = await transaction(db, (tx) =>
      withArchive(source, async (archive) => {
        assertKnown(archive.manifest, migrations);
        return await loadBackup(tx, archive, migrations, () => {});
      }),
    );
    const books = await compareBooks(db, live);
    return {
      tables: totals.tables.length,
      rows: totals.tables.reduce((sum, { rows }) => sum + rows, 0),
      ...books,
      held: live?.held ?? [],
    };
  });
}
