import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DriverCase, Result } from './cases.ts';
import { linesOf } from './lines.ts';

const sdks = join(import.meta.dirname, '..');

/** A language: how its driver is started, and why it is not asked here, where that is so. */
export type Language = {
  name: string;
  missing: string | null;
  /** Prepares the driver where that is needed; gives its command, and how to clean up. */
  start: () => { command: string[]; end: () => void };
};

const answers = (...command: [string, ...string[]]): boolean => {
  const [program, ...args] = command;
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
};

const script =
  (...command: string[]) =>
  () => ({ command, end: () => {} });

/** Its compiler is large, and takes long at first. */
function whyNoGo(): string | null {
  if (process.env.SOAK === undefined) return 'the soak asks it';
  return answers('go', 'version') ? null : 'Go is not installed';
}

function startGo(): { command: string[]; end: () => void } {
  const directory = mkdtempSync(join(tmpdir(), 'florin-sdk-go-'));
  const program = join(directory, 'driver');
  execFileSync('go', ['build', '-o', program, './internal/driver'], { cwd: join(sdks, 'go'), stdio: 'pipe' });
  return { command: [program], end: () => rmSync(directory, { recursive: true, force: true }) };
}

/** The SDKs and their drivers. */
export const languages: readonly Language[] = [
  {
    name: 'TypeScript',
    missing: null,
    start: script(process.execPath, join(sdks, 'typescript/test/driver.ts')),
  },
  {
    name: 'Python',
    missing: answers('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))')
      ? null
      : 'Python 3.9 is not installed',
    start: script('python3', join(sdks, 'python/tests/driver.py')),
  },
  {
    name: 'PHP',
    missing: answers('php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);')
      ? null
      : 'PHP with curl is not installed',
    start: script('php', join(sdks, 'php/tests/driver.php')),
  },
  { name: 'Go', missing: whyNoGo(), start: startGo },
];

/** Starts the driver of a language: `ask` performs one case, in turn. */
export function startDriver({ start }: Language) {
  const {
    command: [program = '', ...args],
    end,
  } = start();
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (text) => (complaints += text));
  const lines = linesOf(child.stdout);
  return {
    async ask(given: DriverCase): Promise<Result> {
      child.stdin.write(`${JSON.stringify(given)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`The driver ended: ${complaints}`);
      return JSON.parse(value) as Result;
    },
    async end(): Promise<void> {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.stdin.end();
      await ended;
      end();
    },
  };
}

export type Driver = ReturnType<typeof startDriver>;
