import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { endChild } from '../../kit/postgres/child-process.ts';
import { programAt } from '../../kit/programs.ts';

export type PiProcess = {
  /** Resolves when it listens; rejects when it ends instead. */
  open: Promise<void>;
  exited: Promise<void>;
  stop(): Promise<void>;
};

/** A program of the tests. It is never imported, so that none of its code runs in a gateway that takes real money. */
const main = join(import.meta.dirname, '../../../test/pi-network/main.ts');
const stopMs = 5_000;

/**
 * Starts the demo Pi network as a process of its own. It ends with this process, however that ends, because the channel
 * between them closes.
 */
export function startPiProcess(
  directory: string,
  port: number,
  pageOrigin: string,
  program = main,
): PiProcess {
  // A process group of its own: a Ctrl-C for the gateway must not end the network before it.
  const { options, file } = programAt(program);
  const child = spawn(process.execPath, [...options, file, directory, `${port}`, pageOrigin], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
    env: { PATH: process.env.PATH },
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const open = untilListening(child);
  // A caller that does not wait for it learns of a failure by `exited`.
  open.catch(() => {});
  return { open, exited, stop: () => endChild(child, stopMs) };
}

async function untilListening(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once('message', () => resolve());
  child.once('error', reject);
  child.once('exit', (code) => reject(new Error(`the demo Pi network ended with ${code}`)));
  await promise;
}
