import type { Reader, Tx } from '../../kit/db/db.ts';
import { isFormOf } from '../../kit/db/earlier-forms.ts';
import { lockMigrations, type Migration, migrateWithin } from '../../kit/db/migrate.ts';
import type { Manifest } from './archive.ts';
import { copyIn } from './copy.ts';
import type { OnProgress, Progress } from './progress.ts';
import {
  copyInSql,
  openForLoading,
  relationCount,
  type Sequence,
  setSequence,
  settleSession,
  type Table,
  tablesOf,
} from './tables.ts';

/** Throws unless this build has every migration that the backup's database had, unchanged. */
export function assertKnown({ migrations, florin }: Manifest, own: readonly Migration[]): void {
  const known = new Map(own.map((migration) => [migration.name, migration]));
  for (const { name, checksum } of migrations) {
    const migration = known.get(name);
    if (!migration) {
      throw new Error(
        `The backup was made by a newer Florin (${florin}), whose ${name} this one does not know: ` +
          'restore it with that version or a later one',
      );
    }
    if (!isFormOf(migration, checksum))
      throw new Error(`The backup was made with another ${name} than this one`);
  }
}

/** Throws unless the database has no tables, views or counters at all. */
async function assertEmpty(reader: Reader): Promise<void> {
  const count = await relationCount(reader);
  if (count === 0) return;
  throw new Error(
    `The database is not empty: it has ${count} tables and counters, and a backup is restored into an empty one only. ` +
      'Set DATA_DIR to a new directory, or DATABASE_URL to a new database. Nothing was changed.',
  );
}

/** What rows and counters were read, to compare what was loaded with. */
type Read = { tables: { name: string; rows: number }[]; sequences: Sequence[] };

/** Where the rows of a whole database come from: an open backup, or another database. It is read once, from start to end. */
export type LoadSource<Totals extends Read> = {
  manifest: Pick<Manifest, 'migrations' | 'tables'>;
  /** The rows of the next table in the order of the manifest, in pieces. */
  table(name: string): AsyncIterable<Buffer>;
  /** To be called after the last table. */
  end(): Promise<Totals>;
};

/**
 * Loads a backup, or the rows of another database, into an empty one in the caller's transaction: the tables as they were
 * when it was made, their rows and counters, then the later migrations of this build. Returns the totals of the source, which
 * the loaded rows were compared with.
 */
export async function loadBackup<Totals extends Read>(
  tx: Tx,
  archive: LoadSource<Totals>,
  migrations: Migration[],
  onProgress: OnProgress,
): Promise<Totals> {
  const { manifest } = archive;
  await settleSession(tx);
  // A gateway that starts now waits, and then finds the restored database.
  await lockMigrations(tx);
  await assertEmpty(tx);
  const applied = new Set(manifest.migrations.map(({ name }) => name));
  await migrateWithin(
    tx,
    migrations.filter(({ name }) => applied.has(name)),
  );
  const own = await tablesOf(tx);
  assertSameTables(manifest.tables, own);
  const closeUp = await openForLoading(tx, own);
  const rows = await loadTables(tx, archive, onProgress);
  const totals = await archive.end();
  assertRows(rows, totals);
  for (const sequence of totals.sequences) await setSequence(tx, sequence);
  await closeUp();
  await migrateWithin(tx, migrations);
  // Migrations do not wait for tables for long. ANALYZE waits where another one analyses what all databases share.
  await tx.query('SET LOCAL lock_timeout = 0');
  // Without it the planner plans for empty tables until autovacuum has analysed them.
  await tx.query('ANALYZE');
  return totals;
}

async function loadTables(
  tx: Tx,
  { manifest, table: dataOf }: LoadSource<Read>,
  onProgress: OnProgress,
): Promise<Map<string, number>> {
  const progress: Progress = { tables: 0, ofTables: manifest.tables.length, rows: 0, bytes: 0 };
  async function* counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      progress.bytes += piece.length;
      onProgress(progress);
      yield piece;
    }
  }
  const rows = new Map<string, number>();
  for (const table of manifest.tables) {
    const loaded = await copyIn(tx, copyInSql(table), counted(dataOf(table.name)));
    rows.set(table.name, loaded);
    progress.tables++;
    progress.rows += loaded;
    onProgress(progress);
  }
  return rows;
}

function assertSameTables(backedUp: Table[], own: Table[]): void {
  const spelled = (tables: Table[]) =>
    new Set(tables.map(({ name, columns }) => `${name} (${[...columns].sort().join(', ')})`));
  const [theirs, ours] = [spelled(backedUp), spelled(own)];
  const [odd] = [...theirs.symmetricDifference(ours)];
  if (odd !== undefined) {
    throw new Error(`The backup and its migrations do not fit: ${odd} is in one of them alone`);
  }
}

function assertRows(loaded: Map<string, number>, { tables }: Read): void {
  for (const { name, rows } of tables) {
    const found = loaded.get(name);
    if (found !== rows) throw new Error(`${name} should have ${rows} rows, but the database took ${found}`);
  }
}
