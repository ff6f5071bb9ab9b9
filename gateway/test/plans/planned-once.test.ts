import { expect, test } from 'vitest';
import type { IntegrationId } from '../../src/identity/integration.ts';
import type { Database } from '../../src/kit/db/db.ts';
import type { PriceCurrency } from '../../src/money/price-currencies.ts';
import { readRates } from '../../src/rates/read-rates.ts';
import { startApp } from '../support/running.ts';

// PostgreSQL plans a named statement for its parameters five times on each connection before it keeps a plan for any.
const firstPlans = 5;

/** What a connection runs for each payment that is created and completed alone. */
const hot = [
  'find-keys',
  'insert-payments',
  'lock-accounts',
  'lock-own-payments',
  'moves-of-payments',
  'post-transfers',
  'read-test-rates',
  'record-events',
  'transfers-of-payments',
  'write-payments',
  'write-transfers',
];

const app = await startApp();

test('what runs for each payment is not planned for each payment', async () => {
  for (let number = 0; number < 40; number++) {
    const reference = `planned-${number}`;
    const body = { amount: 20, currency: 'USDC', payment_type: 'deposit', payment_reference: reference };
    await app.api('PUT', '/payment/create', { body });
    const price = { amount: '20.00', currency: 'EUR' };
    const priced = { price, currency: 'USDC', payment_type: 'deposit' };
    await app.api('PUT', '/payment/create', { body: priced });
    await app.api('POST', `/test/payments/${reference}/simulate`, { body: { outcome: 'success' } });
  }
  const look = async () => {
    const ours = (await plansOf(app.serving.db)).filter(({ name }) => hot.includes(name));
    const kept = ours.filter((each) => each.kept > 0);
    const plannedAgain = ours.filter(({ custom }) => custom > firstPlans);
    return { kept: [...new Set(kept.map(({ name }) => name))].sort(), plannedAgain };
  };
  // The gateway works on by itself: a connection that is in use shows its plans when it is idle again.
  await expect.poll(look).toEqual({ kept: hot, plannedAgain: [] });
});

test('what a live price reads is not planned for each payment', async () => {
  const pair = { currency: 'PI', priceCurrency: 'EUR' as PriceCurrency } as const;
  const wanted = { integrationId: '' as IntegrationId, mode: 'live', ...pair } as const;
  for (let number = 0; number < 40; number++) await readRates(app.serving.db, [wanted], new Date());
  const plans = (await plansOf(app.serving.db)).filter(({ name }) => name === 'read-live-rates');
  expect(plans.length).toBeGreaterThan(0);
  for (const { custom } of plans) expect(custom).toBeLessThanOrEqual(firstPlans);
});

type Plans = { name: string; custom: number; kept: number };

/** How often each idle connection has planned its named statements for their parameters, and used a kept plan. */
async function plansOf(pool: Database): Promise<Plans[]> {
  const idle = [];
  while (pool.idleCount > 0) idle.push(await pool.connect());
  const all = await Promise.all(
    idle.map((client) =>
      client.query<Plans>(
        'SELECT name, custom_plans::int AS custom, generic_plans::int AS kept FROM pg_prepared_statements',
      ),
    ),
  );
  for (const client of idle) client.release();
  return all.flatMap(({ rows }) => rows);
}
