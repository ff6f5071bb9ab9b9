import { randomUUID } from 'node:crypto';
import { after } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import { leaveLease, takeLease } from '../../kit/db/lease.ts';
import { newId } from '../../kit/ids.ts';
import { type Reserve, type ReserveDeps, type ReserveReport, readReserves } from './reserves.ts';

/** A report of live money as it was kept, and that of the networks of test mode; null: there are none. */
export type KeptReport = ReserveReport & { at: Date; test: ReserveReport | null };

const everySeconds = 600;
/** After a report that misses something, such as a network that had not been read yet. */
const againSeconds = 30;
const logEverySeconds = 24 * 3_600;
const keptDays = 90;
/** Longer than a comparison takes. A process that dies during one delays the next one by this. */
const leaseSeconds = 600;

/** The newest report; null: none was made yet. */
export async function newestReport(reader: Reader): Promise<KeptReport | null> {
  const { rows } = await reader.query<KeptReport>(
    `SELECT at, items, missing, CASE WHEN test_items IS NOT NULL
       THEN jsonb_build_object('items', test_items, 'missing', test_missing) END AS test
     FROM reserve_reports ORDER BY id DESC LIMIT 1`,
  );
  return rows[0] ?? null;
}

/**
 * Makes the function that compares the reserves every ten minutes, in one process at a time, and keeps the report. A
 * report that lacks an asset of live mode is replaced by the next one, half a minute later. It logs a line a day, and one when
 * a difference of live money appears or changes. The first line waits until all was read, ten minutes at most: just after
 * the start a network that was not read yet is no fault.
 */
export function createReserveWatch(deps: ReserveDeps): () => Promise<void> {
  const { db, now, log } = deps;
  const terms = { name: 'reserves', holder: randomUUID(), seconds: leaseSeconds };
  let loggedAt: Date | null = null;
  let begunAt: Date | null = null;
  return async () => {
    const isDue = async () => {
      const newest = await newestReport(db);
      if (newest === null) return true;
      return after(newest.at, newest.missing.length > 0 ? againSeconds : everySeconds) <= now();
    };
    if (!(await isDue()) || !(await takeLease(db, terms))) return;
    try {
      // Another process may have made it just before.
      if (!(await isDue())) return;
      const before = await newestReport(db);
      const report = await readReserves(deps);
      const test = await readReserves(deps, 'test');
      const hasTest = test.items.length + test.missing.length > 0;
      await keepReport(db, { ...report, test: hasTest ? test : null }, before, now());
      const differing = differencesOf(report.items);
      if (differing !== '' && differing !== differencesOf(before?.items ?? [])) {
        log.error({ differences: differing }, 'what is held is not what is owed: florin reserves says more');
      }
      begunAt ??= now();
      const isLogDue = loggedAt === null || after(loggedAt, logEverySeconds) <= now();
      const isWhole = report.missing.length === 0 || after(begunAt, everySeconds) <= now();
      if (isLogDue && isWhole && report.items.length + report.missing.length > 0) {
        loggedAt = now();
        log.info({ ...linesOf(report) }, 'reserves');
      }
    } finally {
      await leaveLease(db, terms).catch(() => {});
    }
  };
}

async function keepReport(
  reader: Reader,
  { items, missing, test }: Omit<KeptReport, 'at'>,
  before: KeptReport | null,
  now: Date,
): Promise<void> {
  await reader.query(
    `INSERT INTO reserve_reports (id, at, items, missing, test_items, test_missing)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      ...[newId(now), now, JSON.stringify(items), JSON.stringify(missing)],
      ...[test && JSON.stringify(test.items), test && JSON.stringify(test.missing)],
    ],
  );
  await reader.query('DELETE FROM reserve_reports WHERE at < $1 OR at = $2', [
    after(now, -keptDays * 86_400),
    before && before.missing.length > 0 ? before.at : null,
  ]);
}

const differencesOf = (items: readonly Reserve[]): string =>
  items.flatMap(({ asset, difference }) => (difference === '0' ? [] : [`${difference} ${asset}`])).join(', ');

function linesOf({ items, missing }: ReserveReport): object {
  return {
    assets: items.map(({ asset, difference }) => ({ asset, difference })),
    ...(missing.length > 0 ? { missing } : {}),
  };
}
