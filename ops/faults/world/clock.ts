import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Clock } from './world.ts';

/** The world's clock, and those of the processes that follow it. */
export type WorldClock = Clock & {
  /** The environment of a process that follows it under this name, and starts in the folder of the sources. */
  environmentOf(name: string): Record<string, string>;
  /** Goes on to this moment, in milliseconds since 1970, where it is not there yet. */
  reach(ms: number): Promise<void>;
  /** From now on the clock of this process is so much ahead of the world's, or behind it. */
  skew(name: string, ms: number): Promise<void>;
};

/** How long a process takes at most to read its clock anew. */
const readMs = 100;

/** `names`: the processes that follow it. `passed` is told how much time passed at once. */
export async function openClock(
  folder: string,
  names: readonly string[],
  passed: (ms: number) => Promise<void>,
): Promise<WorldClock> {
  const skews = new Map(names.map((name) => [name, 0]));
  let aheadMs = 0;
  let passedMs = 0;
  let writing: Promise<unknown> = Promise.resolve();
  await mkdir(folder, { recursive: true });

  async function write(): Promise<void> {
    for (const [name, skewMs] of skews) {
      const file = join(folder, name);
      // Whole or not at all: a process reads it at any moment.
      await writeFile(`${file}.new`, `${aheadMs + skewMs} ${passedMs}`);
      await rename(`${file}.new`, file);
    }
  }
  function written(): Promise<void> {
    const done = writing.then(write);
    writing = done.catch(() => {});
    return done;
  }
  await written();

  return {
    now: () => Date.now() + aheadMs,
    environmentOf: (name) => ({
      FAULTS_CLOCK_FILE: join(folder, name),
      NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'shifted-clock.mjs')).href}`,
    }),
    async pass(ms) {
      aheadMs += ms;
      passedMs += ms;
      await passed(ms);
      await written();
      await sleep(readMs);
    },
    async reach(ms) {
      if (ms <= Date.now() + aheadMs) return;
      aheadMs = ms - Date.now();
      await written();
    },
    async skew(name, ms) {
      skews.set(name, ms);
      await written();
    },
  };
}
