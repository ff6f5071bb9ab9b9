import { shrinkHeap } from './collect-garbage.ts';

/** What a process knows about itself. */
export type ProcessState = {
  /** The share of the time since the last call in which it worked. */
  busy(): number;
  heapBytes(): number;
  shrink(): Promise<void>;
};

const quietShare = 0.1;
/** A collection takes a tenth of a second and costs the next requests some compiling, so it has to be worth it. */
const worthBytes = 6_000_000;
const roundsOfQuiet = 2;

/**
 * Returns what is to be called every ten seconds or so: when the process was quiet for two rounds, and its heap has grown
 * since the last time, it gives back what a busy time left behind. V8 does so by itself only when it needs memory.
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

function thisProcess(): ProcessState {
  let last = performance.eventLoopUtilization();
  return {
    busy() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    heapBytes: () => process.memoryUsage().heapTotal,
    shrink: shrinkHeap,
  };
}
