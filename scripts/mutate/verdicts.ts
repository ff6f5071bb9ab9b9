import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from './judge.ts';

const path = join(import.meta.dirname, 'verdicts.json');

/** What became of a change: the test that killed it, or `survived`. */
export type Verdict = { verdict: 'killed'; by: string } | { verdict: 'survived' | 'not tried' };

/** The verdicts of the last runs, by the names of the changes. */
export type Verdicts = Record<string, Verdict>;

export async function readVerdicts(): Promise<Verdicts> {
  return JSON.parse(await readFile(path, 'utf8'));
}

/** Writes them in the order of the names; what is no longer in the list is left out. */
export async function writeVerdicts(verdicts: Verdicts, names: readonly string[]): Promise<void> {
  const kept = names.flatMap((name) => (verdicts[name] ? [[name, verdicts[name]] as const] : []));
  await writeFile(path, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

export const verdictOf = (found: Finding): Verdict =>
  found.state === 'killed' ? { verdict: 'killed', by: found.by } : { verdict: found.state };
