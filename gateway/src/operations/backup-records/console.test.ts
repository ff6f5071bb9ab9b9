import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { openConsole } from '../../../test/support/console.ts';
import { testFolder } from '../../../test/support/data-dir.ts';
import { startApp } from '../../../test/support/running.ts';
import { readConfig } from '../../config/config.ts';
import type { OperatorAttention } from '../attention/answers.ts';
import type { BackupsView } from './answers.ts';
import { createBackupMetrics } from './metrics.ts';
import { orderedTasks, recordBackup, recordDrill } from './records.ts';

const folder = await testFolder();
const env = { BACKUP_TO: folder, BACKUP_AT: '03:30', BACKUP_KEEP: '5d' };
const app = await startApp({ env });
const operator = await (await openConsole(app)).as('operator');
const hour = 3_600_000;
const ago = (hours: number): Date => new Date(Date.now() - hours * hour);
const view = async (): Promise<BackupsView> =>
  (await operator<BackupsView>('GET', '/console/operator/backups')).body.data;

const backup = (hours: number, change: object = {}) =>
  recordBackup(app.db, {
    ...{ place: folder, path: `backups/florin-${hours}.backup`, kind: 'scheduled', florin: '0.1.0' },
    ...{ is_encrypted: false, started_at: ago(hours), ended_at: ago(hours - 0.01) },
    ...{ bytes: 12_345_678n, sha256: 'ab'.repeat(32), fault: null, ...change },
  } as Parameters<typeof recordBackup>[1]);

test('an operator sees what is missing, and asks for a backup or a trial, which are noted', async () => {
  expect(await view()).toMatchObject({
    ...{ place: folder, is_bucket: false, is_encrypted: false, last_good_at: null, drill: null },
    archive: null,
    ...{ keep: { days: 5, weeks: 0, months: 0 }, drill_days: 7, is_running: false, ordered: [], faults: [] },
  });
  for (const path of ['backups', 'drills']) {
    expect((await operator('POST', `/console/operator/${path}`)).status).toBe(200);
  }
  expect((await view()).ordered.toSorted()).toEqual(['backup', 'drill']);
  expect(await orderedTasks(app.db)).toEqual(new Set(['backup', 'drill']));
  const noted = await app.db.query(`SELECT action FROM audit_log WHERE subject_kind = 'backup' ORDER BY at`);
  expect(noted.rows).toEqual([{ action: 'asked for a backup' }, { action: 'asked to try a backup' }]);
});

test('a backup that is late and a trial that failed are counted, and shown with what was found', async () => {
  const counted = async () =>
    (await operator<OperatorAttention>('GET', '/console/operator/attention')).body.data.backups;
  await backup(60);
  await backup(40, { bytes: null, sha256: null, fault: 'the line is cut' });
  await recordDrill(app.db, {
    ...{
      place: folder,
      path: 'backups/florin-60.backup',
      started_at: ago(60),
      ended_at: ago(59),
      line: '{} x',
    },
    ...{ fault: 'live pi fees: 1 in the database, 2 in the backup', report: null },
  });
  expect(await counted()).toBe(2);
  const { faults, drill } = await view();
  expect(faults.map(({ what, why }) => [what, why])).toEqual([
    ['backup_missing', 'the line is cut'],
    ['drill_failed', 'live pi fees: 1 in the database, 2 in the backup'],
  ]);
  expect(drill).toMatchObject({ path: 'backups/florin-60.backup', line: '{} x' });
  type Files = { items: { bytes: number | null; fault: string | null }[]; next_cursor: string | null };
  const path = '/console/operator/backups/files?limit=1';
  const first = (await operator<Files>('GET', path)).body.data;
  expect(first.items).toMatchObject([{ bytes: null, fault: 'the line is cut' }]);
  const next = (await operator<Files>('GET', `${path}&cursor=${first.next_cursor}`)).body.data;
  expect(next).toMatchObject({ items: [{ bytes: 12_345_678, fault: null }], next_cursor: null });
});

test('metrics tell the age and the size of the newest good backup, and whether the last trial was right', async () => {
  const registry = new Registry();
  createBackupMetrics(registry, app.db, readConfig(env).backups);
  const metrics = await registry.metrics();
  const value = (name: string): number => Number(new RegExp(`^${name} (.+)$`, 'm').exec(metrics)?.[1]);
  expect(value('florin_backup_age_seconds')).toBeGreaterThan(59 * 3_600);
  expect(value('florin_backup_bytes')).toBe(12_345_678);
  expect(value('florin_backup_failures_total')).toBe(1);
  expect(value('florin_drill_ok')).toBe(0);
  expect(metrics).not.toMatch(/^florin_drill_age_seconds /m);
});

describe('an installation without a place', () => {
  test('says so, and can ask for nothing', async () => {
    const bare = await startApp();
    const person = await (await openConsole(bare)).as('operator');
    const { body } = await person<BackupsView>('GET', '/console/operator/backups');
    expect(body.data).toMatchObject({ place: null, faults: [], next_at: null });
    expect((await person('POST', '/console/operator/backups')).status).toBe(404);
  });
});
