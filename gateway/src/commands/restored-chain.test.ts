import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openInstallation } from '../../test/support/backup-fixtures.ts';
import { printed } from '../../test/support/commands-fixtures.ts';
import { removeDataDir } from '../../test/support/data-dir.ts';
import { databaseEnv, emptyDatabase } from '../../test/support/database.ts';
import { seedBalance, silentLog } from '../../test/support/fixtures.ts';
import { systemClock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { roleWarning } from '../operations/database.ts';
import { createStamper, readHead } from '../operations/stamps/stamper.ts';
import { audit } from './audit.ts';
import { backup } from './backup.ts';
import { restore } from './restore.ts';

const post = (db: Database) =>
  seedBalance(db, { kind: 'user', owner: newId(), mode: 'test', asset: 'pi', units: 3n });

/** Stamps what there is and publishes the head. */
async function stamp(db: Database): Promise<bigint> {
  const stamper = createStamper({ db, headsFile, log: silentLog, now: systemClock });
  await stamper.run();
  await stamper.close();
  return (await readHead(db))!.number;
}
const audited = async () => await printed(() => audit(env, { json: false, heads: headsFile }));

const installation = await openInstallation(20);
const { source, directory, envOf } = installation;
const headsFile = join(directory, 'heads');
const inBackup = await stamp(source.db);
const file = join(directory, 'florin.backup');
await printed(() => backup(envOf(source), { file }));
await post(source.db);
const lost = await stamp(source.db);
const target = await emptyDatabase();
const env = { ...envOf(target), ...databaseEnv(target) };
expect((await printed(() => restore(env, { file }))).code).toBe(0);
afterAll(() => removeDataDir(installation.directory));

test('a restore gives the role that serves its rights, and no more', async () => {
  expect(await roleWarning(target.serving.db)).toBeNull();
  await expect(target.serving.db.query('DELETE FROM ledger_entries')).rejects.toThrow('permission denied');
  await post(target.serving.db);
});

test('the stamps of the backup hold, and published heads that are ahead of it are named with the restore', async () => {
  const published = await readFile(headsFile, 'utf8');
  const lines = published.trim().split('\n');
  expect(lines).toHaveLength(2);
  await writeFile(headsFile, `${lines[0]}\n`);
  const kept = await audited();
  expect(kept).toMatchObject({ code: 0, output: expect.stringContaining('The hash chain is whole') });
  expect(kept.output).toContain(`The newest stamp is ${lines[0]?.split(' ')[0]}`);
  await writeFile(headsFile, published);
  const ahead = await audited();
  expect(ahead.code).toBe(2);
  expect(ahead.output).toMatch(
    new RegExp(
      `stamp ${lost}: .* is missing: the database ends with stamp ${inBackup}, of .*; it was restored at `,
    ),
  );
});

test('the chain goes on, a lost head with the number of a new stamp is named, and without the lost ones all is whole', async () => {
  await post(target.serving.db);
  expect(await stamp(target.serving.db)).toBeGreaterThanOrEqual(lost);
  const other = await audited();
  expect(other.code).toBe(2);
  expect(other.output).toMatch(
    new RegExp(`stamp ${lost}: the stamp was published with the hash .*; it was restored at `),
  );
  const lines = (await readFile(headsFile, 'utf8')).split('\n');
  await writeFile(
    headsFile,
    lines.filter((line) => !line.startsWith(`${lost}:`) || line === lines[2]).join('\n'),
  );
  expect((await readFile(headsFile, 'utf8')).trim().split('\n')).toHaveLength(2);
  expect(await audited()).toMatchObject({
    code: 0,
    output: expect.stringContaining('The hash chain is whole'),
  });
});

test('a head that is missing without a restore is not explained away', async () => {
  const beyond = join(installation.directory, 'beyond');
  await writeFile(beyond, `${lost + 9n}:${'0'.repeat(64)}\n`);
  const { source, envOf } = installation;
  const { code, output } = await printed(() => audit(envOf(source), { json: false, heads: beyond }));
  expect(code).toBe(2);
  expect(output).toContain(`is missing: the database ends with stamp ${lost}, of`);
  expect(output).not.toContain('restored');
});
