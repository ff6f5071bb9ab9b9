import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** What a command did and printed. */
type Ran = { code: number; output: string; errors: string };

/** Runs a command of the Florin in a folder to its end. */
export type RunProgram = (program: string, words: readonly string[]) => Promise<Ran>;

/** The command line of the Florin in a folder; undefined where there is none. */
export function mainOf(program: string): string | undefined {
  return ['cli/src/main.js', 'cli/src/main.ts'].map((file) => join(program, file)).find(existsSync);
}

/**
 * Runs commands with the settings of this process. Where that is root, they run as the user whose the data are. A signal to
 * the terminal's group does not reach them.
 */
export function createRunProgram(env: NodeJS.ProcessEnv, dataDir: string): RunProgram {
  return async (program, words) => {
    const main = mainOf(program);
    if (main === undefined) throw new Error(`There is no program of Florin in ${program}`);
    const node = join(program, 'node/bin/node');
    const settings = `--env-file-if-exists=${join(program, 'package.env')}`;
    const child = spawn(existsSync(node) ? node : process.execPath, [settings, main, ...words], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...(await userOf(dataDir)),
    });
    const ended = new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
    const [code, output, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    return { code, output, errors };
  };
}

async function userOf(dataDir: string): Promise<{ uid?: number; gid?: number; cwd?: string }> {
  if (process.getuid?.() !== 0) return {};
  const { uid, gid } = await stat(dataDir);
  // The directory of root may be closed to that user.
  return uid === 0 ? {} : { uid, gid, cwd: dataDir };
}
