import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Made, oddText, openInstallation } from '../../test/support/backup-fixtures.ts';
import { printed } from '../../test/support/commands-fixtures.ts';
import { removeDataDir } from '../../test/support/data-dir.ts';
import { emptyDatabase, type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { seedBalance } from '../../test/support/fixtures.ts';
import { createKeyLookup, signingSecrets } from '../identity/keys/keys.ts';
import { systemClock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import { writeBackup } from '../operations/backup/write.ts';
import { openSeal } from '../operations/master-key.ts';
import { payoutStop } from '../payouts/rules/stop.ts';
import { backup } from './backup.ts';
import { makeIntegration } from './integrations.ts';
import { restore } from './restore.ts';

const { directory, source, made, envOf } = await openInstallation(1_200);
const file = join(directory, 'florin.backup');
afterAll(() => removeDataDir(directory));

/** The content of every table, as a digest that does not depend on the order of rows. */
async function digests(db: Database): Promise<Record<string, string>> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname NOT IN ('payout_stop', 'treasury_restores') ORDER BY 1`,
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

/** The definition of a database: columns, constraints, triggers and indexes as the server writes them. */
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

describe('a backup', () => {
  test('is one file that only its owner may read, and nothing else is left', async () => {
    const { code, output } = await printed(() => backup(envOf(source), { file }));
    expect(code).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(directory)).filter((name) => name.includes('.part'))).toEqual([]);
    expect(output).toContain('The master key is not in it.');
  });

  test('never replaces a file', async () => {
    await expect(backup(envOf(source), { file })).rejects.toThrow('exists already');
  });

  test('contains neither the master key nor a secret that could be used', async () => {
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
    await expect(backup(envOf(source), { file: nowhere })).rejects.toThrow(
      `There is no directory ${join(directory, 'no-such-directory')}`,
    );
    expect((await source.db.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('that is aborted leaves nothing behind', async () => {
    const order = { file: join(directory, 'broken.backup'), florin: '1.0.0', now: new Date() };
    const ending = new AbortController();
    const onProgress = () => ending.abort();
    const writing = writeBackup(source.db, { ...order, onProgress, signal: ending.signal });
    await expect(writing).rejects.toThrow();
    expect((await readdir(directory)).filter((name) => name.startsWith('broken'))).toEqual([]);
    expect((await source.db.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends by %s with %i, and without a file', async (signal, code) => {
    const ended = printed(() => backup(envOf(source), { file: join(directory, 'ended.backup') }));
    process.emit(signal, signal);
    expect((await ended).code).toBe(code);
    expect((await readdir(directory)).filter((name) => name.startsWith('ended'))).toEqual([]);
    expect(process.listenerCount(signal)).toBe(0);
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
  let result: { code: number; output: string };
  beforeAll(async () => {
    target = await emptyDatabase();
    result = await printed(() => restore(envOf(target), { file }));
  });

  test('is every row of every table, and every constraint, trigger and index', async () => {
    expect(await digests(target.db)).toEqual(await digests(source.db));
    expect(await structure(target.db)).toEqual(await structure(source.db));
  });

  test('stops payouts', async () => {
    expect((await payoutStop(target.db))?.reason).toContain('Restored from the backup of');
  });

  test('is reported with the audit of the ledger', () => {
    expect(result.code).toBe(0);
    expect(result.output).toMatch(
      /^Restored \d+ tables, [\d,]+ rows, from the backup of .*\nThe ledger is clean: /,
    );
  });

  test('continues the sequences where the backup ended', async () => {
    const owner = made.integration_id;
    await seedBalance(target.db, { owner, kind: 'business', mode: 'test', asset: 'pi', units: 1n });
    const newest = async (db: Database) =>
      (await db.query<{ seq: bigint }>('SELECT max(seq) AS seq FROM ledger_entries')).rows[0]!.seq;
    expect(await newest(target.db)).toBe((await newest(source.db)) + 2n);
  });

  test('accepts the API keys of before, and signs with them', async () => {
    const key = await createKeyLookup(target.db, systemClock)(made.secret_key);
    expect(key?.integration.name).toBe(oddText);
    const seal = await openSeal(target.db, join(directory, 'master.key'));
    const signing = await signingSecrets(target.db, seal, [
      { integrationId: made.integration_id, mode: 'test' },
    ]);
    expect([...signing.values()]).toEqual([made.secret_key]);
  });

  test('cannot be changed where rows may only be added', async () => {
    await expect(target.db.query('DELETE FROM audit_log')).rejects.toThrow();
    await expect(target.db.query('UPDATE ledger_entries SET units = 0')).rejects.toThrow();
  });
});
