import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDataDir, removeDataDir } from '../../test/data-dir.ts';
import { databaseUrl, emptyDatabase, type TestDatabase, testDatabase } from '../../test/database.ts';
import { seedBalance } from '../../test/fixtures.ts';
import { jsonEntries } from '../backup/archive.ts';
import { createKeyLookup, signingSecrets } from '../identity/keys.ts';
import { systemClock } from '../kit/clock.ts';
import type { Database } from '../kit/db.ts';
import { newId } from '../kit/ids.ts';
import { readTar, type TarEntry, tarEnd, tarEntry } from '../kit/tar.ts';
import { openSeal } from '../master-key.ts';
import { backup } from './backup.ts';
import { printed } from './fixtures.ts';
import { makeIntegration } from './integrations.ts';
import { restore } from './restore.ts';
import { seed } from './seed.ts';

type Made = { integration_id: string; secret_key: string };

let directory: string;
let source: TestDatabase;
let made: Made;
let file: string;

const envOf = ({ connection }: TestDatabase): Record<string, string> => ({
  DATA_DIR: directory,
  DATABASE_URL: databaseUrl(connection),
  MASTER_KEY_FILE: join(directory, 'master.key'),
});

// Text that each of the formats in between might take for something of its own.
const oddText = 'tab\t newline\n return\r backslash\\ \\. \\N quote" \'🪙 ‮مرحبا\u0001';

beforeAll(async () => {
  directory = await makeDataDir();
  file = join(directory, 'florin.backup');
  source = await testDatabase();
  const env = envOf(source);
  made = JSON.parse((await printed(() => makeIntegration(env, oddText))).output);
  await printed(() => seed(env, { payments: '1200', integration: made.integration_id }));
  const owner = made.integration_id;
  // 60 digits: more than any number of the language holds.
  for (const units of [10_000_000n, 10n ** 59n + 1n]) {
    await seedBalance(source.db, { owner, kind: 'business', mode: 'test', asset: 'pi', units });
  }
});
afterAll(() => removeDataDir(directory));

/** What every table holds, as a digest that does not depend on the order of rows. */
async function digests(db: Database): Promise<Record<string, string>> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of rows) {
    const columns = name === 'schema_migrations' ? 'number, name, checksum' : 't.*';
    const all = await db.query<{ row: string }>(
      `SELECT (t.*)::text AS row FROM (SELECT ${columns} FROM ${name} t) t ORDER BY 1`,
    );
    found[name] = createHash('sha256').update(JSON.stringify(all.rows)).digest('hex');
  }
  return found;
}

/** What a database is made of: columns, constraints, triggers and indexes in the server's own words. */
async function structure(db: Database) {
  const { rows } = await db.query(
    `SELECT conrelid::regclass::text AS t, conname AS n, pg_get_constraintdef(oid) AS d FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT tgrelid::regclass::text, tgname, tgenabled::text || pg_get_triggerdef(oid) FROM pg_trigger
     WHERE NOT tgisinternal
     UNION ALL SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
     ORDER BY 1, 2, 3`,
  );
  return rows;
}

async function entriesOf(path: string): Promise<TarEntry[]> {
  const plain = zstdDecompressSync(await readFile(path));
  return await Array.fromAsync(readTar(Readable.from([plain])));
}

async function writeEntries(path: string, entries: TarEntry[]): Promise<void> {
  const blocks = entries.flatMap((entry) => tarEntry(entry, new Date()));
  await writeFile(path, zstdCompressSync(Buffer.concat([...blocks, tarEnd])));
}

describe('a backup', () => {
  test('is one file for its owner alone, and nothing else is left', async () => {
    const { code, output } = await printed(() => backup(envOf(source), { file }));
    expect(code).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(directory)).filter((name) => name.includes('.part'))).toEqual([]);
    expect(output).toContain('The master key is not in it.');
  });

  test('never takes the place of a file', async () => {
    await expect(backup(envOf(source), { file })).rejects.toThrow('is there already');
  });

  test('holds neither the master key nor a secret that anybody could use', async () => {
    const all = zstdDecompressSync(await readFile(file));
    const key = (await readFile(join(directory, 'master.key'), 'utf8')).trim();
    for (const spelled of [Buffer.from(key), Buffer.from(key, 'hex'), Buffer.from(made.secret_key)]) {
      expect(all.includes(spelled)).toBe(false);
    }
  });

  test('of an empty database, or where there is none, is refused', async () => {
    const other = join(directory, 'other.backup');
    await expect(backup(envOf(await emptyDatabase()), { file: other })).rejects.toThrow('nothing to back up');
    const nowhere = { DATA_DIR: join(directory, 'nowhere') };
    await expect(backup(nowhere, { file: other })).rejects.toThrow('There is no database in');
    expect(
      (await readdir(directory)).filter((name) => name === 'nowhere' || name === 'other.backup'),
    ).toEqual([]);
  });

  test('that cannot be written fails, and leaves nothing behind', async () => {
    const nowhere = join(directory, 'no-such-directory/x.backup');
    await expect(backup(envOf(source), { file: nowhere })).rejects.toThrow('ENOENT');
    expect((await source.db.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('is an archive that other programs read', async () => {
    const { stdout } = spawnSync('tar', ['-tf', '-'], {
      input: zstdDecompressSync(await readFile(file)),
      encoding: 'utf8',
    });
    const names = stdout.trim().split('\n');
    expect([names[0], names.at(-1)]).toEqual(['manifest.json', 'totals.json.sha256']);
    expect(names).toContain('ledger_entries/000001.copy');
  });

  test('is of one moment, whatever is written while it is made', async () => {
    const busy = await testDatabase();
    const owner = (JSON.parse((await printed(() => makeIntegration(envOf(busy), 'Shop'))).output) as Made)
      .integration_id;
    const path = join(directory, 'busy.backup');
    let making = true;
    const writing = (async () => {
      while (making) {
        await seedBalance(busy.db, { owner, kind: 'business', mode: 'test', asset: 'pi', units: 1n });
      }
    })();
    await printed(() => backup(envOf(busy), { file: path }));
    making = false;
    await writing;
    const target = await emptyDatabase();
    expect((await printed(() => restore(envOf(target), { file: path }))).code).toBe(0);
  });
});

describe('what is restored', () => {
  let target: TestDatabase;
  let told: { code: number; output: string };
  beforeAll(async () => {
    target = await emptyDatabase();
    told = await printed(() => restore(envOf(target), { file }));
  });

  test('is every row of every table, and every constraint, trigger and index', async () => {
    expect(await digests(target.db)).toEqual(await digests(source.db));
    expect(await structure(target.db)).toEqual(await structure(source.db));
  });

  test('is told with the ledger’s audit', () => {
    expect(told.code).toBe(0);
    expect(told.output).toMatch(
      /^Restored \d+ tables, [\d,]+ rows, from the backup of .*\nThe ledger is clean: /,
    );
  });

  test('goes on counting where the backup ended', async () => {
    const owner = made.integration_id;
    await seedBalance(target.db, { owner, kind: 'business', mode: 'test', asset: 'pi', units: 1n });
    const newest = async (db: Database) =>
      (await db.query<{ seq: bigint }>('SELECT max(seq) AS seq FROM ledger_entries')).rows[0]!.seq;
    expect(await newest(target.db)).toBe((await newest(source.db)) + 2n);
  });

  test('knows the keys that were given out, and signs with them', async () => {
    const key = await createKeyLookup(target.db, systemClock)(made.secret_key);
    expect(key?.integration.name).toBe(oddText);
    const seal = await openSeal(target.db, join(directory, 'master.key'));
    const signing = await signingSecrets(target.db, seal, [
      { integrationId: made.integration_id, mode: 'test' },
    ]);
    expect([...signing.values()]).toEqual([made.secret_key]);
  });

  test('cannot be changed where it may only grow', async () => {
    await expect(target.db.query('DELETE FROM audit_log')).rejects.toThrow();
    await expect(target.db.query('UPDATE ledger_entries SET units = 0')).rejects.toThrow();
  });
});

describe('a restore is refused, and leaves the database empty,', () => {
  const refused = async (path: string, why: string | RegExp, env: Record<string, string> = {}) => {
    const target = await emptyDatabase();
    await expect(restore({ ...envOf(target), ...env }, { file: path })).rejects.toThrow(why);
    const { rows } = await target.db.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
    );
    expect(rows).toEqual([]);
  };

  test('where there is a table already', async () => {
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

  test('when a byte of it is another, wherever it stands', async () => {
    const bytes = await readFile(file);
    for (const at of [0, 4, 100, bytes.length >> 1, bytes.length - 1]) {
      const path = join(directory, `byte-${at}.backup`);
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      await writeFile(path, changed);
      await refused(path, /is not a whole backup of Florin/);
    }
  });

  test('when it ends too early, wherever', async () => {
    const bytes = await readFile(file);
    for (const length of [0, 3, 1000, bytes.length >> 1, bytes.length - 5]) {
      const path = join(directory, `short-${length}.backup`);
      await writeFile(path, bytes.subarray(0, length));
      await refused(path, /is not a whole backup of Florin/);
    }
  });

  test('when rows are missing, though it is well packed', async () => {
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

  test('when it is another file altogether, or none', async () => {
    const path = join(directory, 'text.backup');
    await writeFile(path, 'Once upon a time');
    await refused(path, /is not a whole backup of Florin/);
    await refused(join(directory, 'missing.backup'), 'ENOENT');
  });
});

test('a ledger that had faults when it was backed up is restored as it was, and its faults are told', async () => {
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
  expect(await digests(target.db)).toEqual(await digests(faulty.db));
});
