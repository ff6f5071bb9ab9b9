import { basename, join } from 'node:path';
import type { Plugin } from 'vitest/config';
import { artifactWith } from '../contracts.ts';
import { changed, type Mutation, readSource, root } from './mutation.ts';

/** The module that a mutation changes, and its text. */
type Change = { path: string; text: string };

export type Mutator = Plugin & {
  /** Changes a module as it is loaded, from now on; null: none. Returns the files whose modules are to be loaded anew. */
  become(mutation: Mutation | null): Promise<string[]>;
  /** Whether a test has loaded the changed module since. */
  wasLoaded(): boolean;
};

/** Changes the text of one module as tests load it: the files stay as they are. */
export function createMutator(): Mutator {
  let change: Change | null = null;
  let wasLoaded = false;
  return {
    name: 'florin-mutator',
    enforce: 'pre',
    transform(_, id) {
      if (change?.path !== id.replace(/\?.*$/, '')) return null;
      wasLoaded = true;
      return { code: change.text, map: null };
    },
    async become(mutation) {
      const before = change;
      change = mutation && (await changeOf(mutation));
      wasLoaded = false;
      return [before, change].flatMap((each) => each?.path ?? []);
    },
    wasLoaded: () => wasLoaded,
  };
}

/** Of a contract the artifact is changed, which is what deploys it. */
async function changeOf(mutation: Mutation): Promise<Change> {
  const text = changed(mutation, await readSource(mutation));
  if (!mutation.file.endsWith('.sol')) return { path: join(root, mutation.file), text };
  return await artifactWith(basename(mutation.file), text);
}
