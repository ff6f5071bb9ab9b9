import { expect, test } from 'vitest';
import { createQuietHeap, thisProcess } from './quiet-heap.ts';

/** A process with a heap of so many bytes, of which 30 MB are in use. */
function processWith(heapBytes: number) {
  const state = { busy: 0, heapBytes, shrunk: 0 };
  const round = createQuietHeap({
    busy: () => state.busy,
    heapBytes: () => state.heapBytes,
    async shrink() {
      state.shrunk++;
      state.heapBytes = 30_000_000;
    },
  });
  return { state, round };
}

test('a process that was quiet for two rounds gives memory back, once', async () => {
  const { state, round } = processWith(80_000_000);
  expect([await round(), await round(), await round()]).toEqual([false, true, false]);
  expect(state.shrunk).toBe(1);
});

test('a process at work is left alone, and one that has just become quiet', async () => {
  const { state, round } = processWith(80_000_000);
  for (const busy of [0.9, 0.5, 0.05, 0.5, 0.05]) {
    state.busy = busy;
    expect(await round()).toBe(false);
  }
  expect(await round()).toBe(true);
});

test('it happens again after the heap has grown', async () => {
  const { state, round } = processWith(80_000_000);
  await round();
  await round();
  state.heapBytes += 5_000_000;
  expect(await round()).toBe(false);
  state.heapBytes += 5_000_000;
  expect(await round()).toBe(true);
});

test('the work of this process is what it takes of a processor, not the time in which it has to wait for one', async () => {
  const { busy } = thisProcess();
  // Blocks the event loop without any work. The compiler and the garbage collector may still be at work in threads of theirs.
  const waiting = () => {
    busy();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    return busy();
  };
  await expect.poll(waiting).toBeLessThan(0.5);
});
