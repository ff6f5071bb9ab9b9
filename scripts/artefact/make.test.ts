import { execFile } from 'node:child_process';
import { globSync, lstatSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataDir, removeDataDir } from '../../gateway/test/support/data-dir.ts';
import { databaseEnv, testDatabase } from '../../gateway/test/support/database.ts';
import { spawnProgram } from '../../gateway/test/support/gateway-process.ts';
import { root } from '../programs.ts';
import { programs } from './bundle.ts';
import { makeArtefact } from './make.ts';

let artefact: string;

beforeAll(async () => {
  artefact = await mkdtemp(join(tmpdir(), 'florin-artefact-'));
  await makeArtefact(root, artefact);
});

afterAll(() => rm(artefact, { recursive: true, force: true }));

const ofArtefact = (pattern: string): string[] => globSync(pattern, { cwd: artefact });

test('it holds no TypeScript, and no file of tests', () => {
  expect(ofArtefact('{bin,lib,gateway,cli,web,examples}/**/*.{ts,tsx}')).toEqual([]);
  expect(ofArtefact('**/*.test.*').filter((path) => !path.startsWith('node_modules/'))).toEqual([]);
});

test('it takes less than 120 MB', () => {
  const bytes = ofArtefact('**/*').reduce((sum, path) => sum + lstatSync(join(artefact, path)).size, 0);
  expect(bytes).toBeLessThan(120_000_000);
});

test('it starts, serves what the sources serve, and its command line runs', async () => {
  const dataDir = await makeDataDir();
  const database = databaseEnv(await testDatabase());
  const env = {
    DATA_DIR: dataDir,
    ...database,
    MASTER_KEY_FILE: join(dataDir, 'master.key'),
    DEMO: '1',
    WORKERS: '2',
  };
  const gateway = await spawnProgram(join(artefact, programs.start), env);
  try {
    await gateway.ready;
    for (const path of ['/app/', '/docs/', '/reference/', '/openapi.json', '/pay'])
      expect([path, (await fetch(gateway.url + path)).status]).toEqual([path, path === '/pay' ? 404 : 200]);
    expect((await fetch(gateway.shopUrl)).status).toBe(200);
    expect(gateway.errors()).toBe('');
  } finally {
    expect(await gateway.end('SIGTERM')).toBe(0);
    await removeDataDir(dataDir);
  }
  const version = await promisify(execFile)(process.execPath, [
    join(artefact, 'cli/src/main.js'),
    '--version',
  ]);
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
