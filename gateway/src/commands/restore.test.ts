import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { type Made, openInstallation } from '../../test/support/backup-fixtures.ts';
import { printed } from '../../test/support/commands-fixtures.ts';
import { removeDataDir } from '../../test/support/data-dir.ts';
import { emptyDatabase, testDatabase } from '../../test/support/database.ts';
import { seedBalance } from '../../test/support/fixtures.ts';
import { newId } from '../kit/ids.ts';
import { jsonEntries } from '../operations/backup/archive.ts';
import { packTar, readTar, type TarEntry } from '../operations/backup/tar.ts';
import { backup } from './backup.ts';
import { makeIntegration } from './integrations.ts';
import { restore } from './restore.ts';

const installation = await openInstallation(200);
const { directory, envOf } = installation;
const file = join(directory, 'florin.backup');
await printed(() => backup(envOf(installation.source), { file }));
afterAll(() => removeDataDir(directory));

async function entriesOf(path: string): Promise<TarEntry[]> {
  const plain = zstdDecompressSync(await readFile(path));
  return await Array.fromAsync(readTar(Readable.from([plain])));
}

async function writeEntries(path: string, entries: TarEntry[]): Promise<void> {
  const parts = await Array.fromAsync(packTar(entries, new Date()));
  await writeFile(path, zstdCompressSync(Buffer.concat(parts)));
}

describe('a restore is refused, and leaves the database empty,', () => {
  const refused = async (path: string, why: string | RegExp, env: Record<string, string> = {}) => {
    const target = await emptyDatabase();
    await expect(restore({ ...envOf(target), ...env }, { file: path })).rejects.toThrow(why);
    const { rows } = await target.db.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
    );
    expect(rows).toEqual([]);
  };

  test('where a table exists already', async () => {
    const target = await testDatabase();
    await expect(restore(envOf(target), { file })).rejects.toThrow('The database is not empty');
    expect((await target.db.query('SELECT FROM payments')).rowCount).toBe(0);
  });

  test('under another master key, or none', async () => {
    const other = join(directory, 'other.key');
    await writeFile(other, 'ab'.repeat(32));
    await refused(file, `The master key in ${other} is not the one that the backup's secrets`, {
      MASTER_KEY_FILE: other,
    });
    await rm(other);
    await expect(restore({ DATA_DIR: join(directory, 'nowhere') }, { file })).rejects.toThrow(
      'There is no master key in',
    );
  });

  test('when it was made by a newer version, or with another migration', async () => {
    const [manifest, , ...rest] = await entriesOf(file);
    const parsed = JSON.parse(manifest!.body.toString());
    const rewrite = async (change: object) => {
      const path = join(directory, `changed-${newId()}.backup`);
      await writeEntries(path, [...jsonEntries(manifest!.name, { ...parsed, ...change }), ...rest]);
      return path;
    };
    const next = { number: 9999, name: '9999_future.sql', checksum: '00' };
    const newer = await rewrite({ florin: '9.9.9', migrations: [...parsed.migrations, next] });
    await refused(newer, 'made by a newer Florin (9.9.9), whose 9999_future.sql this one does not know');
    await refused(await rewrite({ format: 2, florin: '9.9.9' }), 'made by a newer Florin (9.9.9)');
    const [first, ...others] = parsed.migrations;
    const other = await rewrite({ migrations: [{ ...first, checksum: '00' }, ...others] });
    await refused(other, 'made with another 0001_idempotency.sql');
  });

  test('when any byte of it was changed', async () => {
    const bytes = await readFile(file);
    for (const at of [0, 4, 100, bytes.length >> 1, bytes.length - 1]) {
      const path = join(directory, `byte-${at}.backup`);
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      await writeFile(path, changed);
      await refused(path, /is not a whole backup of Florin/);
    }
  });

  test('when it ends too early, at any place', async () => {
    const bytes = await readFile(file);
    for (const length of [0, 3, 1000, bytes.length >> 1, bytes.length - 5]) {
      const path = join(directory, `short-${length}.backup`);
      await writeFile(path, bytes.subarray(0, length));
      await refused(path, /is not a whole backup of Florin/);
    }
  });

  test('when rows are missing in an archive that is otherwise right', async () => {
    const entries = await entriesOf(file);
    const at = entries.findIndex(({ name }) => name.startsWith('ledger_entries/'));
    const { name, body } = entries[at]!;
    const path = join(directory, 'less.backup');
    const less = { name, body: body.subarray(0, body.lastIndexOf('\n', body.length - 2) + 1) };
    await writeEntries(path, entries.with(at, less));
    await refused(path, 'the rows of ledger_entries are not those that were written');
    await writeEntries(path, entries.toSpliced(at, 1));
    await refused(path, 'the rows of ledger_entries are not those that were written');
    await writeEntries(path, entries.slice(0, -2));
    await refused(path, 'totals.json is missing');
    await writeEntries(path, entries.slice(0, -1));
    await refused(path, 'totals.json does not fit its checksum');
  });

  test('when it is another kind of file, or does not exist', async () => {
    const path = join(directory, 'text.backup');
    await writeFile(path, 'Once upon a time');
    await refused(path, /is not a whole backup of Florin/);
    await refused(join(directory, 'missing.backup'), `There is no file ${join(directory, 'missing.backup')}`);
    await refused(directory, `${directory} is a directory, not a backup`);
  });
});

test('a ledger that had faults when it was backed up is restored as it was, and its faults are reported', async () => {
  const faulty = await testDatabase();
  const { integration_id: owner } = JSON.parse(
    (await printed(() => makeIntegration(envOf(faulty), 'Shop'))).output,
  ) as Made;
  await seedBalance(faulty.db, { owner, kind: 'business', mode: 'test', asset: 'pi', units: 5n });
  await faulty.db.query('UPDATE ledger_accounts SET balance = balance + 1 WHERE owner = $1', [owner]);
  const path = join(directory, 'faulty.backup');
  await printed(() => backup(envOf(faulty), { file: path }));
  const target = await emptyDatabase();
  const { code, output } = await printed(() => restore(envOf(target), { file: path, json: true }));
  expect(code).toBe(2);
  expect(JSON.parse(output).audit.findings).toHaveLength(1);
  const { rows } = await target.db.query('SELECT balance FROM ledger_accounts WHERE owner = $1', [owner]);
  expect(rows).toEqual([{ balance: 6n }]);
});
