import { Type } from 'typebox';
import type { Console } from '../../identity/console/console.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import { queryReader } from '../../kit/http/fields.ts';
import type { Assets, Currency } from '../../money/assets.ts';
import { countRatesToCare } from '../../rates/metrics.ts';
import { MerchantAttention, OperatorAttention, OperatorOverview } from './answers.ts';
import { operatorOverview } from './business.ts';
import { merchantAttention, operatorAttention } from './counts.ts';

export type AttentionDeps = {
  db: Database;
  assets: Assets;
  /** The currencies that live payments may be made in. */
  offered: readonly Currency[];
  now: Clock;
};

const OverviewQuery = Type.Object({ mode: Type.Optional(Type.Enum(['test', 'live'])) });
const readOverview = queryReader(OverviewQuery);
const overviewDays = 30;

/** What waits for a person, and the figures of an operator's first page. */
export function attentionConsoleRoutes(dashboard: Console, deps: AttentionDeps): void {
  const { db, assets, now } = deps;
  dashboard.get('mode', '/attention', { may: 'read', answer: MerchantAttention }, async ({ owner }) => ({
    message: 'What waits for you',
    data: await merchantAttention(db, owner),
  }));

  dashboard.get('operator', '/attention', { answer: OperatorAttention }, async () => ({
    message: 'What waits for an operator',
    data: { ...(await operatorAttention(db)), rates: await countRatesToCare(deps, now()) },
  }));

  dashboard.get('operator', '/overview', { answer: OperatorOverview }, async ({ query }) => {
    const { mode = 'live' } = readOverview(query);
    const data = await operatorOverview(db, assets, { mode, days: overviewDays }, now());
    return { message: 'Overview of the installation', data };
  });
}
