import { expect, test } from 'vitest';

import { seedPayments } from '../../../../bench/seed/payments.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { seedIntegration } from '../../../test/support/fixtures.ts';
import type { IntegrationId } from '../../identity/integration.ts';
import { after } from '../../kit/clock.ts';
import { transaction } from '../../kit/db/db.ts';
import { type Currency, createAssets, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { createTotals } from './add-up.ts';
import { operatorOverview } from './operator-overview.ts';
import { recentVolume } from './volume.ts';

const { db } = await testDatabase();
const assets = createAssets();
const days = (count: number): number => count * 24 * 3600;

test('the volume of an integration with many payments is what they come to, added up or not, beside one with few', async () => {
  const now = new Date();
  const integrations: IntegrationId[] = [];
  for (const count of [2_300, 40]) {
    const { integrationId } = await seedIntegration(db);
    integrations.push(integrationId);
    const batch = { from: after(now, -days(33)), to: now, count, number: 0, customers: 10, feeBps: 100 };
    await transaction(db, (tx) => seedPayments(tx, { integrationId, assets }, batch, now));
  }
  type Row = { currency: Currency; payments: number; completed: number; units: bigint };
  const plain = await db.query<Row>(
    `SELECT currency, count(*)::int AS payments, count(*) FILTER (WHERE status = 'completed')::int AS completed,
       sum(amount) FILTER (WHERE status = 'completed') AS units
     FROM payments WHERE mode = 'test' AND created_at >= $1 GROUP BY currency ORDER BY currency`,
    [after(now, -days(30))],
  );
  const expected = plain.rows.map(({ units, ...row }) => ({
    ...row,
    amount: decimalOf(units, currencyScale[row.currency]),
  }));
  const volume = async () =>
    (await operatorOverview(db, { assets, hostParts: async () => [] }, { mode: 'test', days: 30 }, now))
      .volume;
  const recent = () => Promise.all(integrations.map((id) => recentVolume(db, id, now)));
  const [before, beforeOfEach] = [await volume(), await recent()];
  expect(before).toEqual(expected);
  await createTotals(db, () => now)();
  expect(await volume()).toEqual(expected);
  expect(await recent()).toEqual(beforeOfEach);
});
