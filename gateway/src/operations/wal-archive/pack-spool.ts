import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptState } from '../wal/state.ts';
import { packFile } from './pack.ts';
import { isHistory, isSegment, nameOfPacked, segmentAfter } from './segments.ts';

/**
 * Packs each file of the spool in its order, and notes it. Returns what is missing in between; null: nothing is. A crash at
 * any line leaves a file that is packed again, or one that is removed by the next call.
 */
export async function packSpool(
  { get, change }: Pick<KeptState, 'get' | 'change'>,
  { spool, recipients, segmentBytes }: { spool: string; recipients: readonly string[]; segmentBytes: number },
): Promise<string | null> {
  const files = (await readdir(spool)).sort();
  for (const name of files) {
    if (name.endsWith('.part') || nameOfPacked(name)) continue;
    const { packed, first } = get() ?? { packed: null, first: null };
    if (isHistory(name)) await packFile(spool, name, recipients);
    else if (isSegment(name) && name > (packed ?? '')) {
      const expected = packed ? segmentAfter(packed) : name;
      // The folder may have been read while the server put two segments into it.
      if (name !== expected) return (await isThere(join(spool, expected))) ? null : expected;
      if ((await stat(join(spool, name))).size !== segmentBytes) return `${name} is not whole`;
      await packFile(spool, name, recipients);
      await change({ packed: name, first: first ?? name });
    }
    // Packed, a note about a base backup, or a segment that the server put there a second time after a crash.
    await rm(join(spool, name));
  }
  return null;
}

export async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
