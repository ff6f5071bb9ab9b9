import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { openTestBucket } from '../../../test/backups/bucket.ts';
import { openScheduledBackups } from '../../../test/backups/scheduled.ts';
import { printed } from '../../../test/support/commands-fixtures.ts';
import { testFolder } from '../../../test/support/data-dir.ts';
import { emptyDatabase, testDatabase } from '../../../test/support/database.ts';
import { type BackupPlace, openPlace } from '../../operations/backup/places/place.ts';
import { isBackupRunning, newestDrill, orderTask } from '../../operations/backup-records/records.ts';
import { backup } from '../backup.ts';
import { drillBackup, listPlacedBackups } from '../backup-tools.ts';
import { restore } from '../restore.ts';
import { twoWays } from './make.ts';

const { source, envOf, keys, identity, config, now, passHours, backupsTo, records, mails } =
  await openScheduledBackups();
const bucket = await openTestBucket();
const folder = await testFolder();

test('a backup is made at once, then at its time each day, encrypted, and is what the database had', async () => {
  const backups = backupsTo({ BACKUP_TO: folder });
  await backups.run();
  await backups.run();
  const [made, ...others] = await records();
  expect(others).toEqual([]);
  expect(made).toMatchObject({
    kind: 'scheduled',
    florin: '1.2.3',
    is_encrypted: true,
    fault: null,
    place: folder,
  });
  expect(made?.path).toBe('backups/florin-2026-03-10T12-00-00Z.backup.age');
  const file = join(folder, made!.path);
  expect((await readFile(file)).length).toBe(Number(made?.bytes));
  passHours(13.9);
  await backups.run();
  expect(await records()).toHaveLength(1);
  passHours(0.2);
  await backups.run();
  expect(await records()).toHaveLength(2);

  const target = await emptyDatabase();
  const env = { ...envOf(target), BACKUP_TO: folder };
  const name = made!.path.slice('backups/'.length);
  await expect(restore(env, { file: name })).rejects.toThrow('Give the file of its identity');
  expect((await printed(() => restore(env, { file: name, identity }))).code).toBe(0);
  const count = 'SELECT count(*)::int AS count FROM payments';
  expect((await target.db.query(count)).rows).toEqual((await source.db.query(count)).rows);
});

test('old backups go as BACKUP_KEEP says, those of others and those from before a restore stay', async () => {
  const place = await testFolder();
  const settings = { BACKUP_TO: place, BACKUP_KEEP: '2d' };
  const backups = backupsTo(settings);
  const other = 'backups/florin-2020-01-01T02-00-00Z.backup.age';
  await openPlace(config(settings).to).put(other, Readable.from([Buffer.from('of another installation')]));
  for (let day = 0; day < 4; day++) {
    await backups.run();
    passHours(24);
  }
  const names = async () => (await readdir(join(place, 'backups'))).map((name) => name.slice(7, 17)).sort();
  expect(await names()).toEqual(['2020-01-01', '2026-03-12', '2026-03-13']);
  expect((await records()).map(({ is_removed }) => is_removed)).toEqual([false, false, true, true]);

  // Somebody else removes one; what the database had before it was restored is not its own any more.
  await rm(join(place, (await records())[1]!.path));
  await source.db.query(
    'INSERT INTO treasury_restores (restored_at, backup_at, known_moves) VALUES ($1, $1, $2)',
    [new Date('2026-03-12T18:00:00Z'), []],
  );
  await backups.run();
  passHours(24);
  await backups.run();
  expect(await names()).toEqual(['2020-01-01', '2026-03-14', '2026-03-15']);
  await source.db.query(
    'ALTER TABLE treasury_restores DISABLE TRIGGER USER; DELETE FROM treasury_restores; ALTER TABLE treasury_restores ENABLE TRIGGER USER',
  );
});

test('a backup in a bucket is listed, restored and tried from there by the commands', async () => {
  const settings = { ...bucket.env, BACKUP_RECIPIENT: keys.recipient };
  const env = { ...envOf(source), ...settings };
  const made = await printed(() => backup(env, { json: true }));
  const { file, bytes } = JSON.parse(made.output);
  expect(file).toMatch(/^s3:\/\/coins\/shop\/one\/backups\/florin-.*\.backup\.age$/);
  expect((await records())[0]).toMatchObject({ kind: 'command', place: 's3://coins/shop/one', fault: null });
  const listed = JSON.parse((await printed(() => listPlacedBackups(env, { json: true }))).output);
  const name = file.split('/').at(-1);
  expect(listed.items).toEqual([{ name, bytes, at: expect.any(String) }]);
  const target = await emptyDatabase();
  const restoring = { ...settings, ...envOf(target) };
  expect((await printed(() => restore(restoring, { file: name, identity }))).code).toBe(0);
  const tried = await printed(() => drillBackup(env, { identity, json: true }));
  expect(tried.code).toBe(0);
  expect(JSON.parse(tried.output)).toMatchObject({ file, findings: [], tables: expect.any(Number) });
  expect(await newestDrill(source.db)).toMatchObject({ fault: null, path: file });
});

describe('faults', () => {
  test('a place that dies leaves no file, is tried again ever later, and operators get one mail a day', async () => {
    const backups = backupsTo({
      ...bucket.env,
      BACKUP_RECIPIENT: keys.recipient,
      BACKUP_TO: 's3://coins/dies',
    });
    const failing: BackupPlace = {
      ...openPlace(config({ ...bucket.env, BACKUP_TO: 's3://coins/dies' }).to),
      put: async (_, from) => {
        for await (const _piece of from) break;
        throw new Error('s3://coins/dies cannot be reached: the line is cut');
      },
    };
    const broken = backupsTo({ ...bucket.env, BACKUP_TO: 's3://coins/dies' }, { place: failing });
    for (const expected of [1, 1, 2]) {
      await broken.run();
      expect(await records()).toHaveLength(expected);
      passHours(31 / 3_600);
    }
    const [fault] = await records();
    expect(fault).toMatchObject({ bytes: null, fault: 's3://coins/dies cannot be reached: the line is cut' });
    expect(await mails()).toEqual([]);
    passHours(6);
    await broken.run();
    await broken.run();
    expect(await mails()).toEqual([{ subject: 'No backup is made' }]);
    passHours(24);
    await broken.run();
    expect(await mails()).toHaveLength(2);
    passHours(2);
    await backups.run();
    expect((await records())[0]).toMatchObject({ fault: null });
    expect(await isBackupRunning(source.db)).toBe(false);
  });

  test('a disk that is full is a fault in words, and leaves nothing', async () => {
    const place = await testFolder();
    const full: BackupPlace = {
      ...openPlace({ kind: 'directory', path: place }),
      put: (path, from) =>
        openPlace({ kind: 'directory', path: place }).put(
          path,
          Readable.from(
            (async function* () {
              for await (const piece of from) {
                yield piece;
                throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
                  code: 'ENOSPC',
                  syscall: 'write',
                });
              }
            })(),
          ),
        ),
    };
    await backupsTo({ BACKUP_TO: place }, { place: full }).run();
    expect((await records())[0]).toMatchObject({ fault: 'ENOSPC: no space left on device, write' });
    expect(await readdir(join(place, 'backups'))).toEqual([]);
  });

  test('a gateway that ends meanwhile leaves neither file nor record, and the next one makes it', async () => {
    const place = await testFolder();
    const real = openPlace({ kind: 'directory', path: place });
    const first = backupsTo(
      { BACKUP_TO: place },
      {
        place: {
          ...real,
          put: async (path, from) => {
            first.close();
            return await real.put(path, from);
          },
        },
      },
    );
    await first.run();
    expect(await records()).toEqual([]);
    expect(await readdir(join(place, 'backups'))).toEqual([]);
    await first.run();
    expect(await records()).toEqual([]);
    await backupsTo({ BACKUP_TO: place }).run();
    expect(await records()).toHaveLength(1);
  });

  test('of two gateways one makes it; what an operator asks for is made once', async () => {
    const place = await testFolder();
    const [one, other] = [backupsTo({ BACKUP_TO: place }), backupsTo({ BACKUP_TO: place })];
    await Promise.all([one.run(), other.run()]);
    await other.run();
    expect(await records()).toHaveLength(1);
    passHours(1);
    await orderTask(source.serving.db, 'backup', now());
    await Promise.all([one.run(), other.run()]);
    await one.run();
    expect((await records()).map(({ kind }) => kind)).toEqual(['ordered', 'scheduled']);
  });
});

test('two readers get the same bytes at their own speed; where the second stops, the first goes on', async () => {
  async function* pieces() {
    for (let number = 0; number < 200; number++) yield Buffer.alloc(10_000, number);
  }
  const both = twoWays(pieces());
  const slow = async () => {
    let bytes = 0;
    for await (const piece of both.second) {
      await new Promise(setImmediate);
      bytes += piece.length;
    }
    return bytes;
  };
  const fast = Array.fromAsync(both.first as AsyncIterable<Buffer>);
  expect(await slow()).toBe(2_000_000);
  expect(Buffer.concat(await fast)).toHaveLength(2_000_000);
  const alone = twoWays(pieces());
  for await (const _ of alone.second) break;
  expect(Buffer.concat(await Array.fromAsync(alone.first as AsyncIterable<Buffer>))).toHaveLength(2_000_000);
});

test('a database of an earlier version is backed up to the place too, without a record', async () => {
  const old = await testDatabase();
  await old.db.query('DROP TABLE backups, drills, backup_tasks');
  const place = await testFolder();
  const env = { ...envOf(old), BACKUP_TO: place };
  expect((await printed(() => backup(env, {}))).output).toContain(`${place}/backups/florin-`);
  expect(await readdir(join(place, 'backups'))).toHaveLength(1);
});
