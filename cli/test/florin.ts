import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../gateway/test/suite/child-environment.ts';
import { atFileEnd } from '../../gateway/test/suite/endings.ts';

export { childEnvironment };

export const main = join(import.meta.dirname, '../src/main.ts');

export type Ended = { code: number | null; output: string; errors: string };

/** A running `florin`. */
export type Florin = {
  child: ChildProcess;
  /** The complete lines on its standard output so far. */
  lines(): string[];
  errors(): string;
  /** Resolves when the condition holds; rejects after a minute, or when the process ends first. */
  until(holds: () => boolean, what: string): Promise<void>;
  end(signal: NodeJS.Signals): Promise<Ended>;
  ended: Promise<Ended>;
};

const waitMs = 300_000;

/** An empty directory, removed after the tests of the file. */
export async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'florin-test-'));
  atFileEnd(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Starts `florin` as a person would, with only this environment. */
export function startFlorin(words: readonly string[], env: Record<string, string>, cwd?: string): Florin {
  const child = spawn(process.execPath, [main, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...childEnvironment, ...env },
    ...(cwd !== undefined && { cwd }),
  });
  atFileEnd(() => child.kill('SIGKILL'));
  let output = '';
  let errors = '';
  const looks = new Set<() => void>();
  const lookAgain = (): void => {
    for (const look of looks) look();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    lookAgain();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
    lookAgain();
  });
  const ended = once(child, 'close').then((): Ended => {
    return { code: child.exitCode, output, errors };
  });

  return {
    child,
    lines: () => output.split('\n').slice(0, -1),
    errors: () => errors,
    until: (holds, what) =>
      new Promise((resolve, reject) => {
        const settle = (result: () => void): void => {
          clearTimeout(timer);
          looks.delete(look);
          result();
        };
        const look = (): void => {
          if (holds()) settle(resolve);
        };
        const fail = (why: string) => () => reject(new Error(`${what}: ${why}\n${output}\n${errors}`));
        const timer = setTimeout(() => settle(fail(`not within ${waitMs} ms`)), waitMs);
        looks.add(look);
        void ended.then(() => settle(fail('the process ended')));
        look();
      }),
    async end(signal) {
      child.kill(signal);
      return await ended;
    },
    ended,
  };
}

/** Runs `florin` to its end. */
export async function runFlorin(
  words: readonly string[],
  env: Record<string, string>,
  cwd?: string,
): Promise<Ended> {
  return await startFlorin(words, env, cwd).ended;
}
