// `npm run runtimes`: runs the conformance program of the SDK on runtimes that are installed for it into a temporary
// directory, against a gateway of its own. Not a part of `npm test`, since it downloads them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeDataDir, removeDataDir } from '../../../../gateway/test/support/data-dir.ts';
import { spawnGateway } from '../../../../gateway/test/support/gateway-process.ts';
import { bundle, makeProject, run } from './project.ts';
import { openWorld } from './world.ts';

const packages = ['node@18', 'bun', 'deno', 'miniflare'];

/** As much of Miniflare, which runs the runtime of Workers, as is used here. */
type Miniflare = {
  new (options: {
    modules: { type: 'ESModule'; path: string; contents: string }[];
    compatibilityDate: string;
  }): {
    dispatchFetch(url: string): Promise<Response>;
    dispose(): Promise<void>;
  };
};

/** A runtime: its name with its version, and how it runs the project's program. */
type Runtime = { name: string; conform: (project: string) => Promise<string[]> };

function installRuntimes(): string {
  const directory = mkdtempSync(join(tmpdir(), 'florin-runtimes-'));
  writeFileSync(join(directory, 'package.json'), '{ "private": true }');
  const args = ['install', '--prefix', directory, '--no-audit', '--no-fund', '--loglevel=error', ...packages];
  execFileSync('npm', args, { cwd: directory, stdio: 'inherit', shell: process.platform === 'win32' });
  return directory;
}

function runtimesIn(directory: string): Runtime[] {
  const program = (name: string, ...args: string[]): Runtime => {
    const path = join(directory, 'node_modules/.bin', name);
    const version = /\d+\.\d+\.\d+/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }));
    return { name: `${name} ${version}`, conform: (project) => run(project, path, ...args) };
  };
  const { version } = JSON.parse(
    readFileSync(join(directory, 'node_modules/workerd/package.json'), 'utf8'),
  ) as { version: string };
  const worker = (project: string) => runWorker(directory, bundle(project, 'worker.js', 'esm'));
  return [
    program('node'),
    program('bun'),
    program('deno', 'run', '--quiet', '--allow-net', '--no-prompt'),
    { name: `workerd ${version}`, conform: worker },
  ];
}

async function runWorker(directory: string, script: string): Promise<string[]> {
  const entry = createRequire(join(directory, 'package.json')).resolve('miniflare');
  const { Miniflare } = (await import(pathToFileURL(entry).href)) as { Miniflare: Miniflare };
  const worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: script }],
    compatibilityDate: '2026-01-01',
  });
  try {
    const answer = await worker.dispatchFetch('http://worker.example/');
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as string[];
  } finally {
    await worker.dispose();
  }
}

async function main(): Promise<void> {
  const directory = process.argv[2] ?? installRuntimes();
  const dataDir = await makeDataDir();
  const gateway = await spawnGateway({ DATA_DIR: dataDir, RATE_LIMIT: '0' });
  try {
    await gateway.ready;
    const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as { secret_key: string };
    const { close, ...world } = await openWorld(gateway.url, demo.secret_key);
    const project = makeProject(world);
    for (const { name, conform } of runtimesIn(directory)) {
      const result = await conform(project).then(
        (done) => `${done.length} checks passed`,
        (error: unknown) => `failed: ${error}`,
      );
      if (result.startsWith('failed')) process.exitCode = 1;
      console.log(`${name}: ${result}`);
    }
    await close();
    rmSync(project, { recursive: true, force: true });
  } finally {
    await gateway.end('SIGTERM');
    await removeDataDir(dataDir);
    if (directory !== process.argv[2]) rmSync(directory, { recursive: true, force: true });
  }
}

await main();
