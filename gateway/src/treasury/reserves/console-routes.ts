import type { Console } from '../../identity/console/console.ts';
import { ReservesView } from './console-answers.ts';
import { newestReport } from './reports.ts';
import type { ReserveDeps, ReserveReport } from './reserves.ts';

/** What is owed beside what the networks show is held, in live mode and on the networks of test mode. */
export function reserveRoutes(dashboard: Console, { db, assets }: Pick<ReserveDeps, 'db' | 'assets'>): void {
  const viewOf = ({ items, missing }: ReserveReport) => ({
    items: items.map((item) => ({ ...item, network: assets.find(item.asset)?.network ?? null })),
    missing,
  });
  dashboard.get('operator', '/reserves', { answer: ReservesView }, async () => {
    const report = await newestReport(db);
    const at = report?.at.toISOString() ?? null;
    const data = { at, ...viewOf(report ?? { items: [], missing: [] }), test: report?.test ?? null };
    return { message: 'Reserves', data: { ...data, test: data.test && viewOf(data.test) } };
  });
}
