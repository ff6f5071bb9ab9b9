import type pg from 'pg';
import { type Database, transaction } from '../../kit/db/db.ts';
import type { Migration } from '../../kit/db/migrate.ts';
import { auditLedger, beginAudit } from '../../ledger/audit.ts';
import { type ArchiveSource, withArchive } from '../../operations/backup/archive.ts';
import { assertKnown, loadBackup } from '../../operations/backup/load.ts';
import type { DrillReport } from '../../operations/backup-records/records.ts';
import { withScratchDatabase } from '../../operations/scratch/scratch-database.ts';
import { verifyChain } from '../../operations/stamps/verify.ts';
import { type Live, readSums, type Sum } from './live.ts';

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
    const books = await readBooks(db);
    const chain = await verifyChain(db, { from: 1n, heads: live?.head ? [live.head] : [] });
    const sums = sumsBeside(live?.sums ?? null, books.sums);
    return {
      tables: totals.tables.length,
      rows: totals.tables.reduce((sum, { rows }) => sum + rows, 0),
      ...{ accounts: books.audit.accounts, entries: books.audit.entries, stamps: chain.stamps },
      ...{ sums, held: live?.held ?? [] },
      findings: [
        ...books.audit.findings.map(
          ({ check, subject, found }) => `not true: ${check}: ${subject}: ${found}`,
        ),
        ...chain.faults.map(({ stamp, found }) => `stamp ${stamp}: ${found}`),
        ...sums.flatMap(({ mode, asset, kind, live: before, restored }) =>
          before === null || before === restored
            ? []
            : [`${mode} ${asset} ${kind}: ${before} in the database, ${restored} in the backup`],
        ),
      ],
    };
  });
}

async function readBooks(db: Database) {
  return await transaction(db, async (tx) => {
    await beginAudit(tx);
    return { audit: await auditLedger(tx), sums: await readSums(tx) };
  });
}

/** Each sum of the restored database beside the live one, in their order; what only one of them has counts as 0 there. */
function sumsBeside(live: readonly Sum[] | null, restored: readonly Sum[]): DrillReport['sums'] {
  const nameOf = ({ mode, asset, kind }: Sum): string => JSON.stringify([mode, asset, kind]);
  const [before, after] = [live ?? [], restored].map(
    (sums) => new Map(sums.map((sum) => [nameOf(sum), sum])),
  );
  const all = new Map([...(before ?? []), ...(after ?? [])]);
  return [...all].map(([name, { mode, asset, kind }]) => ({
    ...{ mode, asset, kind },
    live: live && `${before?.get(name)?.units ?? 0n}`,
    restored: `${after?.get(name)?.units ?? 0n}`,
  }));
}
