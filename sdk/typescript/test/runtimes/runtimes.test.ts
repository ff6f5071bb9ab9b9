import { execFileSync } from 'node:child_process';
import { accessSync, constants, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { startApp } from '../../../../gateway/test/support/running.ts';
import { bundle, makeProject, run } from './project.ts';
import { openWorld } from './world.ts';

const checks = 15;

let closeWorld: () => Promise<void>;

const { baseUrl, secretKey } = await startApp();
const { close, ...world } = await openWorld(baseUrl, secretKey);
closeWorld = close;
const project = makeProject(world);

afterAll(async () => {
  await closeWorld();
  rmSync(project, { recursive: true, force: true });
});

/** This Node, the one that started npm, and those that PATH leads to; one of each version, from 18 on. */
function nodes(): [version: string, path: string][] {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const onPath = (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, name));
  const candidates = [process.execPath, process.env.npm_node_execpath ?? process.execPath, ...onPath];
  const runnable = candidates.filter((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  const versionOf = (path: string) => execFileSync(path, ['--version'], { encoding: 'utf8' }).trim();
  const versions = new Map([...new Set(runnable)].map((path) => [versionOf(path), path]));
  return [...versions].filter(([version]) => Number.parseInt(version.slice(1), 10) >= 18);
}

test.each(nodes())('the published package works on Node %s', async (_, path) => {
  expect(await run(project, path)).toHaveLength(checks);
});

test('the published package works where there is nothing but web standards', async () => {
  const { fetch, Headers, URL, URLSearchParams, AbortController, TextEncoder, TextDecoder } = globalThis;
  const { crypto, atob, btoa, setTimeout, clearTimeout } = globalThis;
  const web = { fetch, Headers, URL, URLSearchParams, AbortController, TextEncoder, TextDecoder };
  const context = createContext({ ...web, crypto, atob, btoa, setTimeout, clearTimeout });
  runInContext(bundle(project, 'script.js', 'iife'), context);
  expect(await runInContext('program.done', context)).toHaveLength(checks);
});
