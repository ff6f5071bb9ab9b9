import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { letter, someOf } from '../../identity/mail/letter.ts';
import { queueMailToOperators } from '../../identity/mail/mail.ts';
import { after } from '../../kit/clock.ts';
import { transaction } from '../../kit/db/db.ts';
import { leaveLease, takeLease } from '../../kit/db/lease.ts';
import { type Finding, words } from './checks/finding.ts';
import { type DoctorDeps, type DoctorReport, makeReport, newestReport } from './reports.ts';

export type DoctorWatchDeps = DoctorDeps & {
  baseUrl: string;
  log: Logger;
  /** Milliseconds of a clock that never goes back. */
  nowMs?: () => number;
};

const everySeconds = 24 * 3_600;
/** A start is not disturbed, and proxies that start with the machine are there by then. */
const firstMs = 600_000;
/** Longer than the checks take. */
const leaseSeconds = 60;

/**
 * Makes the function that looks at the installation once a day, in one process at a time. Operators get a mail about what
 * has turned into a fault since the day before.
 */
export function createDoctorWatch(deps: DoctorWatchDeps): () => Promise<void> {
  const { db, now, nowMs = () => performance.now() } = deps;
  const terms = { name: 'doctor', holder: randomUUID(), seconds: leaseSeconds };
  const begunMs = nowMs();
  const isDue = (newest: DoctorReport | null): boolean =>
    newest === null || after(newest.at, everySeconds) <= now();
  return async () => {
    if (nowMs() - begunMs < firstMs) return;
    if (!isDue(await newestReport(db, 'loop')) || !(await takeLease(db, terms))) return;
    try {
      // Another process may have looked just before.
      const before = await newestReport(db, 'loop');
      if (!isDue(before)) return;
      const report = await makeReport(deps, 'loop');
      await alert(deps, turnedToFault(before?.findings ?? [], report.findings));
    } finally {
      await leaveLease(db, terms).catch(() => {});
    }
  };
}

/** The faults that the report before did not have: details, which have figures, may differ. */
export function turnedToFault(before: readonly Finding[], now: readonly Finding[]): Finding[] {
  const nameOf = ({ check, finding, detail }: Finding) => `${check} ${finding} ${placeIn(detail)}`;
  const known = new Set(before.filter(({ level }) => level === 'fault').map(nameOf));
  return now.filter((each) => each.level === 'fault' && !known.has(nameOf(each)));
}

/** What a detail is about: the text before its first colon that a space follows. */
const placeIn = (detail: string | null): string =>
  detail?.includes(': ') ? (detail.split(': ')[0] ?? '') : '';

async function alert({ db, baseUrl, log }: DoctorWatchDeps, faults: readonly Finding[]): Promise<void> {
  if (faults.length === 0) return;
  for (const { check, finding, what, detail } of faults)
    log.error({ check, finding, detail }, `the doctor found a fault: ${what}`);
  const mail = letter({
    kind: 'doctor',
    subject: `Florin: ${aboutOf(faults[0])}${faults.length > 1 ? ' and more' : ''}`,
    paragraphs: [
      'What was in order a day ago, or was not looked at then, is a fault now.',
      ...someOf(faults.map(lineOf)),
    ],
    action: { label: 'See all that was found', url: `${baseUrl}/app/operator/health?tab=doctor` },
    closing: 'You get this mail because you are an operator. It comes once for each fault.',
  });
  await transaction(db, (tx) => queueMailToOperators(tx, mail));
}

const aboutOf = (fault: Finding | undefined): string => (fault ? words[fault.check].about : 'a fault');

function lineOf(fault: Finding): string {
  const { what, todo, detail } = fault;
  return [`${aboutOf(fault)}: ${what}`, detail, todo].filter((text) => text !== null).join(' ');
}
