import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../src/kit/db/db.ts';
import { newIdentity } from '../src/operations/backup/encrypt.ts';
import { newestDrill } from '../src/operations/backup-records/records.ts';
import { atFileEnd } from './suite/endings.ts';
import { testFolder } from './support/data-dir.ts';
import { startGateway } from './support/running.ts';

test('a gateway that is started with a place has a backup there soon, which was tried, and says so in its log', async () => {
  const folder = await testFolder();
  const { recipient } = await newIdentity();
  const gateway = await startGateway({
    env: { BACKUP_TO: folder, BACKUP_RECIPIENT: recipient, LOG_LEVEL: 'info' },
  });
  const db = openDatabase(await gateway.connection(), 1);
  atFileEnd(() => db.end());
  await expect.poll(() => newestDrill(db), { timeout: 120_000 }).toMatchObject({ fault: null });
  const [name = '', ...others] = await readdir(join(folder, 'backups'));
  expect(others).toEqual([]);
  expect(name).toMatch(/^florin-.*Z\.backup\.age$/);
  expect(`${(await readFile(join(folder, 'backups', name))).subarray(0, 19)}`).toBe('age-encryption.org/');
  expect(gateway.log()).toContain('a backup was tried');
  expect(await readFile(join(gateway.dataDir, 'drills.log'), 'utf8')).toContain('"ok":true');
  await gateway.stop();
});

test('a key that is mistyped ends the start with a sentence', async () => {
  const { recipient } = await newIdentity();
  const typo = recipient.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'));
  const started = startGateway({ env: { BACKUP_TO: await testFolder(), BACKUP_RECIPIENT: typo } });
  await expect(started).rejects.toThrow('BACKUP_RECIPIENT has a key of age that is mistyped');
});
