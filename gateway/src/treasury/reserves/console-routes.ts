import type { Console } from '../../identity/console/console.ts';
import { ReservesView } from './console-answers.ts';
import { newestReport } from './reports.ts';
import type { ReserveDeps } from './reserves.ts';

/** What is owed beside what the networks show is held. */
export function reserveRoutes(dashboard: Console, { db, assets }: Pick<ReserveDeps, 'db' | 'assets'>): void {
  dashboard.get('operator', '/reserves', { answer: ReservesView }, async () => {
    const report = await newestReport(db);
    const items = (report?.items ?? []).map((item) => ({
      ...item,
      network: assets.find(item.asset)?.network ?? null,
    }));
    const at = report?.at.toISOString() ?? null;
    return { message: 'Reserves', data: { at, items, missing: report?.missing ?? [] } };
  });
}
