import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The root of the repository. */
export const root = dirname(dirname(import.meta.dirname));

/** One small wrong change of code that moves money, and the tests that must notice it. */
export type Mutation = {
  /** Names it for ever, such as `ledger/known-id`: filters and verdicts call it so. */
  name: string;
  /** From the root of the repository. */
  file: string;
  /** Is in the file exactly once. */
  find: string;
  replace: string;
  /** What then goes wrong with money, in one sentence. */
  harm: string;
  /** The nearest tests, from the root, where the test beside the file is not all of them. */
  tests?: readonly string[];
  /** Why the change changes nothing that anybody could notice. It may survive then. */
  same?: string;
};

export function testsOf({ file, tests }: Mutation): readonly string[] {
  return tests ?? [file.replace(/\.ts$/, '.test.ts')];
}

/** The text of a mutation's file with its change made. Throws where the text to change is not there exactly once. */
export function changed({ name, file, find, replace }: Mutation, text: string): string {
  const count = text.split(find).length - 1;
  if (count !== 1) throw new Error(`${name}: its text is ${count} times in ${file}`);
  return text.replace(find, () => replace);
}

export async function readSource({ file }: Mutation): Promise<string> {
  return await readFile(join(root, file), 'utf8');
}
