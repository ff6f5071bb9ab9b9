import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'async' }) => Promise<void>;

let collect: Collect | undefined;

/**
 * Collects garbage now. For a long stream, whose rows come faster than the collector finds worth its while: left
 * to itself it lets the heap grow to four times what is in use.
 */
export async function collectGarbage(): Promise<void> {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  await collect({ type: 'major', execution: 'async' });
}
