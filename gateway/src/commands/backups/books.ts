import { type Database, transaction } from '../../kit/db/db.ts';
import { auditLedger, beginAudit } from '../../ledger/audit.ts';
import type { DrillReport } from '../../operations/backup-records/records.ts';
import { verifyChain } from '../../operations/stamps/verify.ts';
import { type Live, readSums, type Sum } from './live.ts';

type Books = Pick<DrillReport, 'accounts' | 'entries' | 'stamps' | 'sums' | 'findings'>;

/**
 * Recomputes the ledger and the hash chain of a copy, and compares what the money of each asset sums up to, and the head of the
 * chain, with those of the `live` database, where these are known. `findings`: what is wrong or differs.
 */
export async function compareBooks(db: Database, live: Pick<Live, 'sums' | 'head'> | null): Promise<Books> {
  const books = await transaction(db, async (tx) => {
    await beginAudit(tx);
    return { audit: await auditLedger(tx), sums: await readSums(tx) };
  });
  const chain = await verifyChain(db, { from: 1n, heads: live?.head ? [live.head] : [] });
  const sums = sumsBeside(live?.sums ?? null, books.sums);
  return {
    ...{ accounts: books.audit.accounts, entries: books.audit.entries, stamps: chain.stamps, sums },
    findings: [
      ...books.audit.findings.map(({ check, subject, found }) => `not true: ${check}: ${subject}: ${found}`),
      ...chain.faults.map(({ stamp, found }) => `stamp ${stamp}: ${found}`),
      ...sums.flatMap(({ mode, asset, kind, live: before, restored }) =>
        before === null || before === restored
          ? []
          : [`${mode} ${asset} ${kind}: ${before} in the database, ${restored} in the copy`],
      ),
    ],
  };
}

/** Each sum of the copy beside the live one, in their order; what only one of them has counts as 0 there. */
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
