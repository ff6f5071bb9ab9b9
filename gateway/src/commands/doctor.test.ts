import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printed } from '../../test/support/commands-fixtures.ts';
import { testFolder } from '../../test/support/data-dir.ts';
import { databaseEnv, emptyDatabase, testDatabase } from '../../test/support/database.ts';
import type { Finding } from '../operations/doctor/checks/finding.ts';
import { doctor } from './doctor.ts';

const directory = await testFolder();
const database = await testDatabase();
const secret = 'a-word-that-nobody-may-see';

async function look(env: Record<string, string>) {
  const { code, output } = await printed(() => doctor({ DATA_DIR: directory, ...env }, { json: true }));
  const { findings, counts } = JSON.parse(output) as { findings: Finding[]; counts: { fault: number } };
  const of = (check: string) => findings.filter((each) => each.check === check).map(({ finding }) => finding);
  return { code, output, of, counts };
}

test('wrong settings are named one by one, and the exit code is 2', async () => {
  const { code, output, of } = await look({ PORT: 'nothing', LOG_LEVEL: 'loud' });
  expect(code).toBe(2);
  expect(of('configuration')).toEqual(['wrong', 'wrong']);
  expect(output).toContain('LOG_LEVEL must be one of');
});

test('a database that is not reached is named, and what needs none is looked at; no secret is printed', async () => {
  const found = await look({
    DATABASE_URL: `postgres://florin:${secret}@127.0.0.1:9/florin`,
    MASTER_KEY_FILE: join(directory, 'master.key'),
    SMTP_URL: `smtp://ada:${secret}@127.0.0.1:9`,
    BASE_URL: 'http://127.0.0.1:9',
  });
  expect(found.code).toBe(2);
  expect(found.of('database')).toEqual(['unusable']);
  expect(found.of('address')).toEqual(['no_database']);
  expect(found.of('mail')).toEqual(['unreachable']);
  expect(found.of('files')).toContain('key_missing');
  expect(found.output).not.toContain(secret);
});

test('an installation that was never started has no database yet, and none is made', async () => {
  const found = await look({ DATA_DIR: await testFolder() });
  expect(found.of('database')).toEqual(['not_yet']);
  // Warnings and what is not known are no fault.
  expect([found.code, found.counts.fault]).toEqual([0, 0]);
});

test('a database of the run is examined as it is, and one without tables is not migrated', async () => {
  const key = { MASTER_KEY_FILE: join(directory, 'master.key'), BASE_URL: 'http://127.0.0.1:9' };
  const found = await look({ ...databaseEnv(database), ...key });
  expect(found.of('stamps')).toEqual(['ok']);
  expect(found.of('address')).toEqual(['not_running']);
  const empty = await emptyDatabase();
  expect((await look({ ...databaseEnv(empty), ...key })).of('database')).toContain('older_tables');
  expect((await empty.db.query("SELECT to_regclass('payments') AS made")).rows[0].made).toBeNull();
});

test('people read what is wrong, with what to do, and the sum', async () => {
  const { output } = await printed(() => doctor({ DATA_DIR: directory, PORT: 'nothing' }, { json: false }));
  expect(output).toMatch(/^fault +Settings: A setting is wrong, so that no gateway starts\.\n +PORT /);
  expect(output).toMatch(/\n1 fault, 0 warnings, 0 not known\. docs\/doctor\.md has every check\.\n$/);
});
