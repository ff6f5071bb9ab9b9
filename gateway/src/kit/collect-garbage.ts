import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: {
  type: 'major';
  execution: 'async';
  /** Also returns unused memory to the system, and drops compiled code that was not used lately. */
  flavor?: 'last-resort';
}) => Promise<void>;

let collect: Collect | undefined;

function collector(): Collect {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  return collect;
}

/**
 * Collects garbage now. For a long stream of rows: otherwise the heap grows to four times what is used before the
 * collector runs.
 */
export async function collectGarbage(): Promise<void> {
  await collector()({ type: 'major', execution: 'async' });
}

/** Collects garbage and returns the memory to the system: for an idle process. */
export async function shrinkHeap(): Promise<void> {
  await collector()({ type: 'major', execution: 'async', flavor: 'last-resort' });
}
