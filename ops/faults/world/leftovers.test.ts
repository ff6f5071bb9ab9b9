import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atFileEnd } from '../../../gateway/test/suite/endings.ts';
import { testFolder } from '../../../gateway/test/support/data-dir.ts';
import { noteProcess, noteRun, removeLeftovers, worldPrefix } from './leftovers.ts';

const within = await testFolder();

async function startProcess(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  atFileEnd(() => child.kill('SIGKILL'));
  return child;
}

async function makeWorld(name: string): Promise<{ folder: string; gateway: ChildProcess }> {
  const folder = join(within, `${worldPrefix}${name}`);
  await mkdir(folder);
  await noteRun(folder);
  const gateway = await startProcess();
  await noteProcess(folder, gateway.pid);
  return { folder, gateway };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

test.skipIf(process.platform !== 'linux')('what a killed run left is removed, and nothing else', async () => {
  const live = await makeWorld('live');
  const dead = await makeWorld('dead');
  const other = await startProcess();
  await mkdir(join(within, `${worldPrefix}unknown`));
  // As if another process had got the number since.
  const [pid, began] = (await readFile(join(dead.folder, 'run'), 'utf8')).split(' ');
  await writeFile(join(dead.folder, 'run'), `${pid} ${Number(began) - 1}`);
  await writeFile(join(dead.folder, 'processes', `${other.pid}`), '1');

  const ended = once(dead.gateway, 'exit');
  expect(await removeLeftovers(within)).toEqual([dead.folder]);
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(existsSync(dead.folder)).toBe(false);
  expect([live.gateway, other].map(isRunning)).toEqual([true, true]);
  expect(existsSync(live.folder)).toBe(true);
  expect(existsSync(join(within, `${worldPrefix}unknown`))).toBe(true);
  expect(await removeLeftovers(within)).toEqual([]);
});
