import { execFile } from 'node:child_process';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/programs.ts';
import type { Played } from './play-seed.ts';
import type { Verdict } from './world/world.ts';

/** What a file keeps of a seed that ended, as one line of JSON. */
export type Kept = {
  seed: number;
  /** Of the tree that was played. */
  commit: string;
  /** The kinds of those that were played. */
  breaks: readonly string[];
  counts: Readonly<Record<string, string>>;
  seconds: number;
  verdicts: readonly Verdict[];
  isJudged: boolean;
};

/** The commit of this tree. Throws where something is not committed, but for the page that the run writes itself. */
export async function commitOf(page: string): Promise<string> {
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { cwd: root })).stdout.trim();
  const changes = await git('status', '--porcelain', '--', '.', `:!${page}`);
  if (changes !== '') throw new Error('There are changes that are not committed: the table is of a commit.');
  return await git('rev-parse', 'HEAD');
}

export function keptOf({ seed, breaks, counts, phasesMs, verdicts, isJudged }: Played, commit: string): Kept {
  return {
    ...{ seed, commit, verdicts, isJudged, breaks: breaks.map(({ kind }) => kind) },
    counts: Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, `${count}`])),
    seconds: Math.round(phasesMs.reduce((sum, ms) => sum + ms, 0) / 100) / 10,
  };
}

/** Adds a line to the file, which is made where there is none. */
export async function keep(file: string, kept: Kept): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${JSON.stringify(kept)}\n`);
}

/** What the file has of this commit, in the order of the seeds. */
export async function readKept(file: string, commit: string): Promise<Kept[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return (
    text
      .split('\n')
      .flatMap((line): Kept[] => {
        try {
          return [JSON.parse(line)];
        } catch {
          // Where the run was killed while it wrote, the seed is played again.
          return [];
        }
      })
      // What was not judged is played again.
      .filter((kept) => kept.commit === commit && kept.isJudged)
      .sort((one, other) => one.seed - other.seed)
  );
}
