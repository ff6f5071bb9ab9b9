import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { transaction } from '../../gateway/src/kit/db/db.ts';
import { newId } from '../../gateway/src/kit/ids.ts';
import { listedPayments } from '../../gateway/src/payments/read/list.ts';
import { paymentOverview } from '../../gateway/src/payments/read/overview.ts';
import { lastDays } from '../../gateway/src/payments/read/period.ts';
import { createEndpoint } from '../../gateway/src/webhooks/endpoints/endpoints.ts';
import { printed } from '../../gateway/test/support/commands-fixtures.ts';
import { makeDataDir } from '../../gateway/test/support/data-dir.ts';
import { databaseUrl, testDatabase, testMasterKey } from '../../gateway/test/support/database.ts';
import { seedIntegration, testSeal } from '../../gateway/test/support/fixtures.ts';
import { auditFindings } from '../../gateway/test/support/payment-fixtures.ts';
import { buildLeftOut, withoutIndexes } from './indexes.ts';
import { seed } from './seed.ts';

const { db, connection } = await testDatabase();

const directory = await makeDataDir();
const file = `${directory}/master.key`;
// The one that the test's integrations are sealed with.
await writeFile(file, testMasterKey);
const env = { DATA_DIR: directory, DATABASE_URL: databaseUrl(connection), MASTER_KEY_FILE: file };

const count = async (table: string): Promise<bigint> =>
  (await db.query<{ count: bigint }>(`SELECT count(*) FROM ${table}`)).rows[0]!.count;

/** With the constraints that they hold. */
const indexes = async () => {
  const built = await db.query("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1");
  const held = await db.query(
    `SELECT conrelid::regclass::text AS table, conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
  );
  return [built.rows, held.rows];
};

describe('seed', () => {
  test('refuses where there is no integration, and a number that is not valid', async () => {
    await expect(seed(env, { payments: '10' })).rejects.toThrow('there is no integration yet');
    for (const payments of ['', '0', '-1', '1e6', 'many', '1000000000']) {
      await expect(seed(env, { payments })).rejects.toThrow('--payments must be a number');
    }
  });

  test('makes payments of every kind that can be found, and a ledger that balances, also a second time', async () => {
    const { integrationId } = await seedIntegration(db);
    const now = new Date();
    const year = lastDays(367, 'UTC', now);
    for (const total of [1_500n, 3_000n]) {
      const { code, output } = await printed(() =>
        seed(env, { payments: '1500', integration: integrationId }),
      );
      expect(code).toBe(0);
      expect(output).toContain('1500 of 1500 payments');
      expect(output).toContain(`/app/i/${integrationId}/test/payments`);
      expect(await count('payments')).toBe(total);
      // Also what the overview has counted before.
      const { counts } = await paymentOverview(db, { integrationId, mode: 'test' }, year, now);
      expect(Object.values(counts).reduce((sum, each) => sum + BigInt(each), 0n)).toBe(total);
    }
    expect(await auditFindings(db)).toEqual([]);
    const owner = { integrationId, mode: 'test' } as const;
    const listed = (filter: Parameters<typeof listedPayments>[2]) =>
      listedPayments(db, owner, filter, { place: null, limit: 10 });
    for (const unusual of ['late', 'part_paid', 'overpaid'] as const) {
      expect((await listed({ unusual })).length).toBeGreaterThan(0);
    }
    const withMeta = (await listed({ statuses: ['completed'] })).find(({ metaData }) => metaData !== null)!;
    const { order } = JSON.parse(withMeta.metaData!) as { order: string };
    expect((await listed({ search: order })).map(({ id }) => id)).toContain(withMeta.id);
    expect(await count('events')).toBeGreaterThan(100n);
  });

  test('builds indexes last when it is told to, and with --full a year of webhooks, twice as many as payments', async () => {
    const owner = await seedIntegration(db);
    await transaction(db, (tx) =>
      createEndpoint(tx, testSeal, {
        ...{ integrationId: owner.integrationId, mode: 'test', url: 'https://shop.example/hooks' },
        ...{ events: ['payment_completed'], now: new Date() },
      }),
    );
    const before = { indexes: await indexes(), attempts: await count('delivery_attempts') };
    const options = { payments: '1500', integration: owner.integrationId, full: true, indexesLast: true };
    expect((await printed(() => seed(env, options))).code).toBe(0);
    expect(await indexes()).toEqual(before.indexes);
    expect((await count('delivery_attempts')) - before.attempts).toBeGreaterThan(3_000n);
    expect(await auditFindings(db)).toEqual([]);
  });

  test('builds what a seed that was killed left out', async () => {
    const before = await indexes();
    await withoutIndexes(db, ['payments', 'events'], async () => {
      expect(await indexes()).not.toEqual(before);
      // As the next seed begins.
      await buildLeftOut(db);
      expect(await indexes()).toEqual(before);
    });
    expect(await indexes()).toEqual(before);
  });

  test('refuses an integration that does not exist, and one that has live payments', async () => {
    const id = newId();
    await expect(seed(env, { payments: '10', integration: id })).rejects.toThrow(
      `there is no integration ${id}`,
    );
    const { integrationId } = await seedIntegration(db);
    await db.query(
      `INSERT INTO payments (id, reference, token, integration_id, mode, status, payment_type, currency, amount, fee,
         fee_payer, amount_due, deadline, deadline_seconds, late_window_seconds, created_at, updated_at)
       VALUES ($1, 'live-1', '', $2, 'live', 'unlinked', 'deposit', 'PI', 1, 0, 'merchant', 1, now(), 1, 1, now(), now())`,
      [newId(), integrationId],
    );
    await expect(seed(env, { payments: '10', integration: integrationId })).rejects.toThrow(
      'has live payments',
    );
  });
});
