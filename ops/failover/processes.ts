import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

type User = { uid: number; gid: number };
type Command = { program: string; args: string[]; log: string; user: User; env?: Record<string, string> };

/** Starts a program that stays, with its output in the file `log`. */
export function startProgram({ program, args, log, user, env = {} }: Command): ChildProcess {
  const file = openSync(log, 'a', 0o644);
  const { PATH = '' } = process.env;
  const child = spawn(program, args, {
    stdio: ['ignore', file, file],
    cwd: '/',
    env: { PATH, LC_ALL: 'C.UTF-8', ...env },
    ...user,
  });
  closeSync(file);
  return child;
}

/** Ends a program that was started here, and waits until it has ended. */
export async function endProgram(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

/** The processes with these numbers and all that they started, as far as these run. */
export async function familyOf(roots: readonly number[]): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The name of the program is in brackets, and may hold any sign.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [, parent] = /\) \S (\d+) /.exec(stat.slice(stat.lastIndexOf(')'))) ?? [];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const found = new Set(roots.filter((pid) => parents.has(pid)));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

/** Sends a signal to each; one that has ended by then is left out. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}

/** Asks until it is so. Throws with `what` where that takes longer than `waitMs`. */
export async function until(
  what: string,
  waitMs: number,
  isSo: () => Promise<boolean>,
  pauseMs = 250,
): Promise<void> {
  const endMs = performance.now() + waitMs;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > endMs) throw new Error(`After ${waitMs / 1000} s not so: ${what}`);
    await sleep(pauseMs);
  }
}
