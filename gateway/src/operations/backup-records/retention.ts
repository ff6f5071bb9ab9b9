import type { Keep } from '../../config/backups.ts';

const dayMs = 86_400_000;

/** A number that is the same for all moments of one day, week (from Monday) or month in UTC. */
const periods: Record<keyof Keep, (at: Date) => number> = {
  days: (at) => Math.floor(at.getTime() / dayMs),
  // The first of January 1970 was a Thursday.
  weeks: (at) => Math.floor((at.getTime() / dayMs + 3) / 7),
  months: (at) => at.getUTCFullYear() * 12 + at.getUTCMonth(),
};

/**
 * Which backups are kept: the newest of each of the last `days` days, `weeks` weeks and `months` months that have one,
 * and the newest of all. Days without a backup do not count, so that a pause removes nothing.
 */
export function backupsToKeep<Backup extends { started_at: Date }>(
  backups: readonly Backup[],
  keep: Keep,
): Set<Backup> {
  const newestFirst = backups.toSorted((a, b) => b.started_at.getTime() - a.started_at.getTime());
  const kept = new Set(newestFirst.slice(0, 1));
  for (const [name, count] of Object.entries(keep) as [keyof Keep, number][]) {
    const seen = new Set<number>();
    for (const backup of newestFirst) {
      const period = periods[name](backup.started_at);
      if (seen.has(period)) continue;
      if (seen.size === count) break;
      seen.add(period);
      kept.add(backup);
    }
  }
  return kept;
}
