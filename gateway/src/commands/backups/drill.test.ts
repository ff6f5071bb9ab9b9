import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { openScheduledBackups } from '../../../test/backups/scheduled.ts';
import { testFolder } from '../../../test/support/data-dir.ts';
import { silentLog } from '../../../test/support/fixtures.ts';
import { installationKey } from '../../kit/installation-key.ts';
import { type BackupPlace, openPlace } from '../../operations/backup/places/place.ts';
import { isSignedBy } from '../../operations/backup-records/proof.ts';
import { newestDrill, orderTask } from '../../operations/backup-records/records.ts';
import { createStamper } from '../../operations/stamps/stamper.ts';

const { directory, source, seal, now, passHours, backupsTo, records, mails } = await openScheduledBackups();

describe('a drill', () => {
  const drilled = { BACKUP_DRILL: '7' };

  test('tries the backup while it is made, and says so in a signed line', async () => {
    const stamper = createStamper({ db: source.db, headsFile: '', log: silentLog, now: () => new Date() });
    await stamper.run();
    await stamper.close();
    const place = await testFolder();
    const backups = backupsTo({ BACKUP_TO: place, ...drilled });
    await backups.run();
    const drill = await newestDrill(source.db);
    expect(drill).toMatchObject({ fault: null, report: { findings: [] } });
    const { report, line } = drill!;
    expect(report!.stamps).toBeGreaterThan(0);
    const sum = report!.sums.find(({ kind, asset }) => kind === 'business' && asset === 'pi');
    expect(sum?.live).toBe(sum?.restored);
    expect(BigInt(sum!.restored)).toBeGreaterThan(10n ** 59n);
    expect((await readFile(join(directory, 'drills.log'), 'utf8')).trim().split('\n').at(-1)).toBe(line);
    expect(isSignedBy(line!, installationKey(seal))).toBe(true);
    expect(isSignedBy(line!.replace('"ok":true', '"ok":false'), installationKey(seal))).toBe(false);
    expect(line).toContain((await records())[0]!.sha256);
    passHours(24);
    await backups.run();
    expect((await source.db.query('SELECT FROM drills')).rowCount).toBe(1);
    const left = await source.db.query(
      `SELECT s.datname FROM pg_database s, pg_database d
       WHERE d.datname = current_database() AND starts_with(s.datname, 'florin_scratch_' || d.oid || '_')`,
    );
    expect(left.rows).toEqual([]);
  });

  test('names what is not sound, keeps the backup, and tells operators', async () => {
    await source.db.query(
      `UPDATE ledger_accounts SET balance = balance + 1 WHERE id = (SELECT min(id) FROM ledger_accounts WHERE stored AND balance > 0)`,
    );
    const place = await testFolder();
    const backups = backupsTo({ BACKUP_TO: place, ...drilled });
    await backups.run();
    const drill = await newestDrill(source.db);
    expect(drill?.fault).toContain('not true: a stored balance is the sum of its entries');
    expect((await records())[0]).toMatchObject({ fault: null });
    await backups.run();
    expect(await mails()).toEqual([{ subject: 'A backup is not right' }]);
    await source.db.query(
      `UPDATE ledger_accounts SET balance = balance - 1 WHERE id = (SELECT min(id) FROM ledger_accounts WHERE stored AND balance > 0)`,
    );
  });

  test('finds a file that is not what was written', async () => {
    const place = await testFolder();
    const real = openPlace({ kind: 'directory', path: place });
    const changing: BackupPlace = {
      ...real,
      get: async (path) => {
        const bytes = await readFile(join(place, path));
        bytes[bytes.length >> 1]! ^= 1;
        return Readable.from([bytes]);
      },
    };
    await backupsTo({ BACKUP_TO: place, ...drilled }, { place: changing }).run();
    expect((await newestDrill(source.db))?.fault).toContain('is not what was written');
  });

  test('waits for a gateway that may make a database, and says what is missing where it was asked for', async () => {
    const place = await testFolder();
    const backups = backupsTo({ BACKUP_TO: place, ...drilled }, { owner: source.serving.connection });
    await backups.run();
    expect(await records()).toHaveLength(1);
    expect(await newestDrill(source.db)).toBeNull();
    passHours(1);
    await orderTask(source.db, 'drill', now());
    await backups.run();
    expect((await records())[0]).toMatchObject({ fault: null, kind: 'ordered' });
    expect((await newestDrill(source.db))?.fault).toContain('CREATEDB');
  });
});
