import type { Tx } from '../../kit/db/db.ts';
import { appliedMigrations } from '../../kit/db/migrate.ts';
import { copyOut, inPieces } from '../../operations/backup/copy.ts';
import type { LoadSource } from '../../operations/backup/load.ts';
import { copyOutSql, type Sequence, sequencesOf, tablesOf } from '../../operations/backup/tables.ts';

type Totals = { tables: { name: string; rows: number }[]; sequences: Sequence[] };

const pieceBytes = 256 * 1024;

/** A whole database, to be loaded into another one. Until `tx` ends nobody else may write to its tables. */
export async function readWhole(tx: Tx): Promise<LoadSource<Totals>> {
  const tables = await tablesOf(tx);
  const read: Totals['tables'] = [];
  async function* table(name: string): AsyncGenerator<Buffer> {
    const found = tables.find((each) => each.name === name);
    if (!found) throw new Error(`There is no table ${name}`);
    const { data, rows } = copyOut(tx, copyOutSql(found));
    yield* inPieces(data, pieceBytes);
    read.push({ name, rows: await rows() });
  }
  return {
    manifest: { migrations: await appliedMigrations(tx), tables },
    table,
    end: async () => ({ tables: read, sequences: await sequencesOf(tx) }),
  };
}
