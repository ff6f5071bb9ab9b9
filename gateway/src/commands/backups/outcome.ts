import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Seal } from '../../kit/seal.ts';
import { signedLine } from '../../operations/backup-records/proof.ts';
import type { DrillRecord, DrillReport } from '../../operations/backup-records/records.ts';

type Outcome = Pick<DrillRecord, 'place' | 'path' | 'started_at' | 'ended_at' | 'report'> & {
  /** The digest of the file that was tried; null: it is not known. */
  sha256: string | null;
  /** Why it could not be tried; null: it was. */
  fault: string | null;
};

/**
 * The record of a drill with its signed line, which is also appended to `DATA_DIR/drills.log`. A report with findings is
 * a fault.
 */
export async function drillRecord(
  { sha256, ...outcome }: Outcome,
  { seal, dataDir }: { seal: Seal; dataDir: string },
): Promise<DrillRecord> {
  const fault = outcome.fault ?? faultOf(outcome.report);
  const { place, path, started_at, ended_at, report } = outcome;
  const line = signedLine(seal, {
    ...{ at: ended_at.toISOString(), ok: fault === null, place, path, sha256 },
    ...(report && {
      ...{ tables: report.tables, rows: report.rows, entries: report.entries, stamps: report.stamps },
    }),
    ...(fault !== null && { fault }),
  });
  await appendFile(join(dataDir, 'drills.log'), `${line}\n`, { mode: 0o600 });
  return { place, path, started_at, ended_at, fault, report, line };
}

function faultOf(report: DrillReport | null): string | null {
  const [first, ...others] = report?.findings ?? [];
  if (first === undefined) return null;
  return others.length === 0 ? first : `${first}; and ${others.length} more`;
}
