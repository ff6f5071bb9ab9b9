import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Says a line of a story to whoever watches it. */
export type Say = (line: string) => void;

/** What a story undoes at its end, the newest first. */
export type Ends = (() => Promise<unknown>)[];

/** Runs a program to its end and returns what it printed. Throws with that where it fails. */
export async function run(command: string, ...args: string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 256 * 1024 ** 2 });
    return stdout.trim();
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  }
}

/** Throws with the names of the programs that this machine lacks. */
export async function assertInstalled(...programs: string[]): Promise<void> {
  const missing: string[] = [];
  for (const program of programs)
    await run('sh', '-c', 'command -v "$1"', 'sh', program).catch(() => missing.push(program));
  if (missing.length > 0) throw new Error(`These programs are missing: ${missing.join(', ')}`);
}

/** Undoes all of it, also where a part fails; throws the first fault. */
export async function undo(ends: Ends): Promise<void> {
  const faults: unknown[] = [];
  for (const end of ends.reverse()) await end().catch((fault: unknown) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
}

/** How long it is since `begunMs` of the clock of this process, in words. */
export const seconds = (begunMs: number): string => `${((performance.now() - begunMs) / 1000).toFixed(1)} s`;
