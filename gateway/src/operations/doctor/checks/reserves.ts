import { after } from '../../../kit/clock.ts';
import { pisOf } from '../../../rails/pi/horizon/network.ts';
import { newestReport } from '../../../treasury/reserves/reports.ts';
import type { Check } from './context.ts';
import { type Finding, found } from './finding.ts';

const oldSeconds = 3_600;

/** The newest comparison of what is owed with what the networks show is held, in live mode. */
export const checkReserves: Check = async ({ config, db, isMigrated, now }) => {
  if (!db || !(await isMigrated())) return [];
  const networks = [...config.chains, ...pisOf(config)].filter(({ isTest = false }) => !isTest);
  if (networks.length === 0) return [found('reserves', 'none')];
  const report = await newestReport(db);
  if (!report) return [found('reserves', 'not_yet')];
  const at = `compared at ${report.at.toISOString()}`;
  const differing = report.items.filter(({ difference }) => difference !== '0');
  const findings: Finding[] = [
    ...differing.map(({ asset, difference }) => found('reserves', 'differ', `${difference} ${asset}, ${at}`)),
    ...report.missing.map(({ asset, why }) => found('reserves', 'missing', `${asset}: ${why}`)),
    ...(after(report.at, oldSeconds) < now() ? [found('reserves', 'old', at)] : []),
  ];
  return findings.length > 0 ? findings : [found('reserves', 'ok', at)];
};
