import { after, type Clock } from '../../kit/clock.ts';
import type { Database, Reader } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import type { Examined } from './checks/context.ts';
import { roomsOf } from './checks/disk.ts';
import type { Finding } from './checks/finding.ts';
import { examine } from './examine.ts';

/** What was found at one time. `asked_by`: the loop that looks each day, or an operator. */
export type DoctorReport = {
  at: Date;
  asked_by: 'loop' | 'operator';
  took_ms: number;
  findings: Finding[];
};

export type DoctorDeps = {
  db: Database;
  /** What this gateway shows to the checks. */
  examined: Omit<Examined, 'db' | 'databaseFault' | 'now'>;
  now: Clock;
};

const keptDays = 30;

/** The newest report, whoever asked for it; null: there is none yet. */
export async function newestReport(
  reader: Reader,
  askedBy: DoctorReport['asked_by'] | null = null,
): Promise<DoctorReport | null> {
  const { rows } = await reader.query<DoctorReport>(
    `SELECT at, asked_by, took_ms, findings FROM doctor_reports
     WHERE $1::text IS NULL OR asked_by = $1 ORDER BY at DESC, id DESC LIMIT 1`,
    [askedBy],
  );
  return rows[0] ?? null;
}

/** Makes all checks, keeps what they find, and forgets what is old. Takes ten seconds at most, and what a statement takes. */
export async function makeReport(
  { db, examined, now }: DoctorDeps,
  askedBy: DoctorReport['asked_by'],
): Promise<DoctorReport> {
  const at = now();
  const begunMs = performance.now();
  const findings = await examine({ ...examined, db, databaseFault: null, now });
  const report = { at, asked_by: askedBy, took_ms: Math.round(performance.now() - begunMs), findings };
  const disks = JSON.stringify(await roomsOf(examined.config));
  await db.query(
    `WITH old AS (DELETE FROM doctor_reports WHERE at < $7)
     INSERT INTO doctor_reports (id, at, asked_by, took_ms, findings, disks) VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      ...[newId(at), at, askedBy, report.took_ms, JSON.stringify(findings), disks],
      after(at, -keptDays * 86_400),
    ],
  );
  return report;
}
