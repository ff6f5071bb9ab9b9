import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { recordBackup, recordDrill } from '../src/operations/backup-records/records.ts';
import { openBrowser } from './browser/browser.ts';
import { openFirstDay, type Place } from './browser/dashboard-fixture.ts';
import { judge, load, openTab, twoLooks } from './browser/dashboard-look.ts';
import { testFolder } from './support/data-dir.ts';

// An operator looks at backups and asks for one.

let place: Place;
let page: Page;
let faults: string[];

beforeAll(async () => {
  const folder = await testFolder();
  place = await openFirstDay({ env: { BACKUP_TO: folder } });
  const { db } = place.app;
  const at = new Date(Date.now() - 3_600_000);
  const path = 'backups/florin-2026-11-30T02-00-00Z.backup';
  const times = { started_at: at, ended_at: new Date(at.getTime() + 9_000) };
  await recordBackup(db, {
    ...{ place: folder, path, kind: 'scheduled', florin: '0.1.0', is_encrypted: false, ...times },
    ...{ bytes: 12_345_678n, sha256: 'ab'.repeat(32), fault: null },
  });
  await recordBackup(db, {
    ...{ place: folder, path, kind: 'ordered', florin: '0.1.0', is_encrypted: false, ...times },
    ...{ bytes: null, sha256: null, fault: 'There is no directory /mnt/backups: is its disk mounted?' },
  });
  await recordDrill(db, {
    ...{ place: folder, path, ...times, fault: null, line: `{"ok":true} ${'x'.repeat(88)}` },
    report: {
      ...{ tables: 173, rows: 1_203_441, accounts: 900, entries: 800_000, stamps: 512, findings: [] },
      sums: [
        { mode: 'live', asset: 'usdc-bep20', kind: 'business', live: '4999', restored: '4999' },
        { mode: 'test', asset: 'pi', kind: 'fees', live: '12', restored: '12' },
      ],
      held: [{ asset: 'usdc-bep20', owed: '36.1', held: '1066', difference: '0' }],
    },
  });
  ({ page, faults } = await openTab(await openBrowser(), place, 'operator'));
});

test('backups, the last trial and what is missing are shown', async () => {
  await load(page, '/app/operator/backups');
  const text = () => page.locator('main').textContent();
  await expect.poll(text).toContain('florin-2026-11-30T02-00-00Z.backup');
  for (const shown of [
    'Backups are not encrypted',
    'Can be restored',
    '1,203,441',
    '12.3 MB',
    'is its disk mounted?',
  ]) {
    expect(await text()).toContain(shown);
  }
  for (const look of twoLooks) expect(await judge(page, look, `dashboard/backups-${look.name}`)).toEqual([]);
  expect(faults.splice(0)).toEqual([]);
});

test('a backup is asked for, and the buttons wait until it has begun', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const button = page.getByRole('button', { name: 'Back up now', exact: true });
  await button.click();
  await expect.poll(() => button.isDisabled()).toBe(true);
  const { rows } = await place.app.db.query(`SELECT task FROM backup_tasks WHERE ordered_at IS NOT NULL`);
  expect(rows).toEqual([{ task: 'backup' }]);
  expect(faults.splice(0)).toEqual([]);
});
