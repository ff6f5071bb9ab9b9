import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createApi } from '../../test/support/api.ts';
import { printed } from '../../test/support/commands-fixtures.ts';
import { makeDataDir, removeDataDir } from '../../test/support/data-dir.ts';
import { databaseEnv, type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { type GatewayProcess, spawnGateway } from '../../test/support/gateway-process.ts';
import { audit } from './audit.ts';
import { backup } from './backup.ts';
import { makeIntegration } from './integrations.ts';
import { makeUser } from './people/users.ts';
import { restore } from './restore.ts';

let directory: string;
let database: TestDatabase;
let env: Record<string, string>;
let running: GatewayProcess;
let key: string;

beforeAll(async () => {
  [directory, database] = await Promise.all([makeDataDir(), testDatabase()]);
  env = { ...databaseEnv(database), DATA_DIR: directory, MASTER_KEY_FILE: join(directory, 'master.key') };
  key = JSON.parse((await printed(() => makeIntegration(env, 'A shop'))).output).secret_key;
  await printed(() => backup(env, { file: join(directory, 'before.backup') }));
  running = await spawnGateway(env);
  await running.ready;
  await database.db.query(
    "INSERT INTO schema_migrations (number, name, checksum) VALUES (9998, '9998_next.sql', '00'), (9999, '9999_last.sql', '00')",
  );
  return async () => {
    await running.end('SIGTERM');
    await removeDataDir(directory);
  };
});

const fault = 'The database belongs to a newer Florin, whose 9999_last.sql this one does not know';

test('a gateway that runs while a newer version migrates goes on', async () => {
  const body = { amount: 1, currency: 'USDC', payment_type: 'deposit', payment_reference: 'NEWER-1' };
  const created = await createApi(running.url, key)('PUT', '/payment/create', { body });
  expect(created.status).toBe(200);
  expect((await fetch(`${running.url}/ready`)).status).toBe(200);
});

test('a gateway does not start on a database that a newer version has migrated, and says what to do', async () => {
  const late = await spawnGateway(env);
  await expect(late.ready).rejects.toThrow();
  expect(await late.exitCode).toBe(1);
  expect(late.errors()).toContain(`Florin cannot start: ${fault}`);
  expect(late.errors()).toContain('Start that version or a later one.');
  expect(late.errors()).not.toContain('    at ');
});

test.each([
  { name: 'users create', command: () => makeUser(env, 'ada') },
  { name: 'audit', command: () => audit(env, { json: true }) },
  { name: 'backup', command: () => backup(env, { file: join(directory, 'after.backup') }) },
  { name: 'restore', command: () => restore(env, { file: join(directory, 'before.backup') }) },
])('the command $name does not run on it either', async ({ command }) => {
  await expect(printed(command)).rejects.toThrow(fault);
});
