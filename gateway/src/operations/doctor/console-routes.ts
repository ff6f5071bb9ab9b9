import type { FastifyRequest } from 'fastify';
import type { Console } from '../../identity/console/console.ts';
import { transaction } from '../../kit/db/db.ts';
import { DoctorView } from './answers.ts';
import { words } from './checks/finding.ts';
import { type DoctorDeps, type DoctorReport, makeReport, newestReport } from './reports.ts';

export type DoctorConsoleDeps = DoctorDeps & {
  guards: { rare(request: FastifyRequest, about: string): Promise<void> };
};

/** What the doctor found last, and looking again. */
export function doctorConsoleRoutes(dashboard: Console, deps: DoctorConsoleDeps): void {
  const { db, guards } = deps;
  let underWay: Promise<DoctorReport> | null = null;

  dashboard.get('operator', '/doctor', { answer: DoctorView }, async () => {
    const newest = await newestReport(db);
    return { message: 'What the doctor found', data: newest && viewOf(newest) };
  });

  dashboard.act('POST', 'operator', '/doctor/check', { answer: DoctorView }, async ({ request }, record) => {
    await guards.rare(request, 'the doctor');
    // Two people at once are given one report.
    underWay ??= makeReport(deps, 'operator').finally(() => {
      underWay = null;
    });
    const report = await underWay;
    const change = {
      action: 'looked at the whole installation',
      subject: { kind: 'installation', id: 'doctor' },
    };
    await transaction(db, (tx) => record(tx, change));
    return { message: 'The installation was looked at', data: viewOf(report) };
  });
}

function viewOf({ at, took_ms, findings }: DoctorReport) {
  return {
    ...{ at, took_ms },
    findings: findings.map((each) => ({ ...each, about: words[each.check]?.about ?? each.check })),
  };
}
