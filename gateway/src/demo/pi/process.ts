import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { asKept } from '../../kit/as-kept.ts';
import { endChild } from '../../kit/postgres/child-process.ts';

export type PiProcess = { exited: Promise<void>; stop(): Promise<void> };

/** A program of the tests: it is never imported, so that nothing of it can reach a gateway that takes real money. */
const main = join(import.meta.dirname, '../../../test/pi-network/main.ts');
const startMs = 20_000;
const stopMs = 5_000;

/**
 * Starts the demo Pi network as a process of its own; resolves once it listens, throws when it ends instead. It ends
 * with this process, in whatever way that dies: the channel between them ends then.
 */
export async function startPiProcess(
  directory: string,
  port: number,
  pageOrigin: string,
): Promise<PiProcess> {
  // A process group of its own: a Ctrl-C for the gateway must not end the network before it.
  const child = spawn(process.execPath, [...asKept, main, directory, `${port}`, pageOrigin], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
    env: { PATH: process.env.PATH },
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await untilListening(child);
  return { exited, stop: () => endChild(child, stopMs) };
}

async function untilListening(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error('the demo Pi network did not start')), startMs);
  child.once('message', () => resolve());
  child.once('error', reject);
  child.once('exit', (code) => reject(new Error(`the demo Pi network ended with ${code}`)));
  try {
    await promise;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
