import { shrinkHeap } from './collect-garbage.ts';

/** What a process knows about itself. */
export type ProcessState = {
  /** The share of a processor that it used since the last call. */
  busy(): number;
  heapBytes(): number;
  shrink(): Promise<void>;
};

const quietShare = 0.1;
/** A collection must free at least this much: it takes a tenth of a second, and later requests compile code again. */
const worthBytes = 6_000_000;
const roundsOfQuiet = 2;

/**
 * Returns a function to be called about every ten seconds. When the process was quiet for two calls and its heap has grown
 * since the last collection, it returns unused memory to the system. V8 does so by itself only when it needs memory.
 */
export function createQuietHeap(state: ProcessState = thisProcess()): () => Promise<boolean> {
  let keptBytes = 0;
  let quietRounds = 0;
  return async () => {
    quietRounds = state.busy() < quietShare ? quietRounds + 1 : 0;
    if (quietRounds < roundsOfQuiet || state.heapBytes() < keptBytes + worthBytes) return false;
    await state.shrink();
    keptBytes = state.heapBytes();
    return true;
  };
}

/** The process that runs this. */
export function thisProcess(): ProcessState {
  const usedSoFar = () => {
    const { user, system } = process.cpuUsage();
    return { cpuMs: (user + system) / 1000, at: performance.now() };
  };
  let last = usedSoFar();
  return {
    // CPU time and not the use of the event loop, which is high in a quiet process too while other processes are busy.
    busy() {
      const now = usedSoFar();
      const share = (now.cpuMs - last.cpuMs) / (now.at - last.at);
      last = now;
      return share;
    },
    heapBytes: () => process.memoryUsage().heapTotal,
    shrink: shrinkHeap,
  };
}
