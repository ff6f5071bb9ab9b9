import type { Reader } from '../../../kit/db/db.ts';
import { appliedMigrations } from '../../../kit/db/migrate.ts';
import { newManifest, type OpenArchive, type Totals } from '../../../operations/backup/archive.ts';
import { copyOut, inPieces } from '../../../operations/backup/copy.ts';
import {
  copyOutSql,
  holdTables,
  sequencesOf,
  settleSession,
  tablesOf,
} from '../../../operations/backup/tables.ts';

const pieceBytes = 256 * 1024;

/**
 * The database of `reader`, which must be one snapshot, as an open backup: a restore can load it into another database
 * without a file in between. The rows come as they are read, and no digest of them is made.
 */
export async function liveArchive(reader: Reader): Promise<OpenArchive> {
  await settleSession(reader);
  const tables = await tablesOf(reader);
  await holdTables(reader, tables);
  const migrations = await appliedMigrations(reader);
  const manifest = newManifest({ florin: '', created_at: '', migrations, key_check: null, tables });
  const totals: Totals = { tables: [], sequences: [] };
  async function* table(name: string): AsyncGenerator<Buffer> {
    const found = tables.find((each) => each.name === name);
    if (!found) throw new Error(`There is no table ${name}`);
    const { data, rows } = copyOut(reader, copyOutSql(found));
    let bytes = 0;
    for await (const piece of inPieces(data, pieceBytes)) {
      bytes += piece.length;
      yield piece;
    }
    totals.tables.push({ name, rows: await rows(), bytes, sha256: '' });
  }
  async function end(): Promise<Totals> {
    totals.sequences = await sequencesOf(reader);
    return totals;
  }
  return { manifest, table, end };
}
