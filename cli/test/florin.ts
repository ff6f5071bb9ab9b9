import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../gateway/test/suite/child-environment.ts';
import { atFileEnd } from '../../gateway/test/suite/endings.ts';

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

/** A command line that a host is asked to run. */
export type Asked = { id: number; words: readonly string[]; env: Record<string, string>; cwd?: string };

type Host = { ask(asked: Omit<Asked, 'id'>): Promise<Ended> };
let host: Host | undefined;

/** Starts a process that runs one command line after the other: a start takes longer than most of them. */
function openHost(): Host {
  const child = fork(join(import.meta.dirname, 'host.ts'), { env: childEnvironment });
  const waiting = new Map<number, PromiseWithResolvers<Ended>>();
  child.on('message', ({ id, ended }: { id: number; ended: Ended }) => {
    waiting.get(id)?.resolve(ended);
    waiting.delete(id);
  });
  child.on('close', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`florin ended its host with ${code}`));
  });
  atFileEnd(() => {
    host = undefined;
    child.kill('SIGKILL');
  });
  let asked = 0;
  return {
    async ask(what) {
      const answer = Promise.withResolvers<Ended>();
      waiting.set(++asked, answer);
      child.send({ id: asked, ...what });
      return await answer.promise;
    },
  };
}

/**
 * Runs `florin` to its end with only this environment, in a process that it shares with the other calls of the test
 * file, one after the other. A command that goes on by itself, such as `listen`, needs a process of its own: `startFlorin`.
 */
export async function runFlorin(
  words: readonly string[],
  env: Record<string, string>,
  cwd?: string,
): Promise<Ended> {
  host ??= openHost();
  return await host.ask({ words, env, ...(cwd !== undefined && { cwd }) });
}
