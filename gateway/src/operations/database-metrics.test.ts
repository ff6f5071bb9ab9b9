import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { createDatabaseMetrics } from './database-metrics.ts';
import { createDoctorMetrics } from './doctor/metrics.ts';

const {
  db,
  serving: { db: serving },
} = await testDatabase();
const registry = new Registry();
createDatabaseMetrics(registry, serving, 1);
createDoctorMetrics(registry, serving);
const figure = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await registry.metrics())?.[1]);

test('the role that serves sees the size of the database, its connections and its transactions', async () => {
  await transaction(serving, (tx) => tx.query('SELECT 1'));
  expect(await figure('florin_database_bytes')).toBeGreaterThan(1_000_000);
  expect(await figure('florin_database_connections')).toBeGreaterThan(0);
  expect(await figure('florin_database_connections_limit')).toBeGreaterThan(20);
  expect(await figure('florin_database_transactions_total{outcome="committed"}')).toBeGreaterThan(0);
});

test('a transaction of the gateway that stays open shows, and one that has ended does not', async () => {
  const age = () => figure('florin_database_oldest_transaction_seconds');
  await transaction(serving, async (tx) => {
    await tx.query('SELECT 1');
    expect(await age()).toBeGreaterThan(0);
  });
  expect(await age()).toBe(0);
});

test('what waits for a connection shows', async () => {
  const name = 'florin_database_waiting_seconds_total';
  // A whole scrape would read from the database, and wait too.
  const waited = async () => (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
  const before = await waited();
  const all = await Promise.all(Array.from({ length: serving.options.max }, () => serving.connect()));
  const late = serving.query('SELECT 1');
  await expect.poll(waited).toBeGreaterThan(before);
  for (const client of all) client.release();
  await late;
});

test('of the newest report of the doctor what is not in order is counted, and nothing of an older one', async () => {
  const report = (at: string, findings: [check: string, level: string][]) =>
    db.query(
      `INSERT INTO doctor_reports (id, at, asked_by, took_ms, findings) VALUES ($1, $2, 'loop', 1, $3)`,
      [newId(new Date(at)), at, JSON.stringify(findings.map(([check, level]) => ({ check, level })))],
    );
  await report('2026-11-01T00:00:00Z', [['clock', 'fault']]);
  await report('2026-11-02T00:00:00Z', [
    ['disk', 'fault'],
    ['endpoint', 'warning'],
    ['endpoint', 'warning'],
    ['mail', 'ok'],
  ]);
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('florin_doctor_'));
  expect(lines.sort()).toEqual([
    'florin_doctor_findings{check="disk",level="fault"} 1',
    'florin_doctor_findings{check="endpoint",level="warning"} 2',
  ]);
});
