import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { batched } from './batch.ts';

/** A flush that waits until the test releases it, and records what it was given. */
function heldFlush() {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  const flush = async (items: number[]): Promise<number[]> => {
    batches.push(items);
    await new Promise<void>((resolve) => gates.push(resolve));
    return items.map((item) => item * 10);
  };
  return { batches, flush, release: () => gates.shift()!() };
}

test('calls of one turn share a batch, and each gets its own result', async () => {
  const batches: number[][] = [];
  const submit = batched<number, number>(async (items) => {
    batches.push(items);
    return items.map((item) => item * 10);
  });
  expect(await Promise.all([submit(1), submit(2), submit(3)])).toEqual([10, 20, 30]);
  expect(batches).toEqual([[1, 2, 3]]);
});

test('calls that come during a batch are flushed together as soon as it has ended', async () => {
  const { batches, flush, release } = heldFlush();
  const submit = batched(flush);
  const first = submit(1);
  await Promise.resolve();
  const rest = [submit(2), submit(3)];
  await Promise.resolve();
  expect(batches).toEqual([[1]]);
  release();
  expect(await first).toBe(10);
  await expect.poll(() => batches.length).toBe(2);
  expect(batches[1]).toEqual([2, 3]);
  release();
  expect(await Promise.all(rest)).toEqual([20, 30]);
});

test('no call waits for a timer', async () => {
  vi.useFakeTimers();
  try {
    const submit = batched<number, number>(async (items) => items);
    expect(await submit(1)).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('where they may wait, calls that come during a batch gather others; one that comes alone does not wait', async () => {
  const { batches, flush, release } = heldFlush();
  const submit = batched(flush, 512, 5);
  const first = submit(1);
  await expect.poll(() => batches.length).toBe(1);
  const rest = [submit(2)];
  release();
  expect(await first).toBe(10);
  rest.push(submit(3));
  await expect.poll(() => batches.length).toBe(2);
  expect(batches[1]).toEqual([2, 3]);
  release();
  expect(await Promise.all(rest)).toEqual([20, 30]);
  vi.useFakeTimers();
  try {
    const alone = submit(4);
    await vi.advanceTimersByTimeAsync(0);
    expect(batches[2]).toEqual([4]);
    release();
    expect(await alone).toBe(40);
  } finally {
    vi.useRealTimers();
  }
});

test('no batch is larger than allowed', async () => {
  const sizes: number[] = [];
  const submit = batched<number, number>(async (items) => {
    sizes.push(items.length);
    return items;
  }, 4);
  await Promise.all(Array.from({ length: 10 }, (_, n) => submit(n)));
  expect(sizes).toEqual([4, 4, 2]);
});

test('an item whose result is an error fails alone', async () => {
  const submit = batched<number, number>(async (items) =>
    items.map((item) => (item === 2 ? new Error('two is refused') : item)),
  );
  const results = await Promise.allSettled([submit(1), submit(2), submit(3)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await expect(submit(2)).rejects.toThrow('two is refused');
});

test('the items of a batch that fails are tried one by one, so that one does not fail the others', async () => {
  const poison = fc.uniqueArray(fc.nat(19), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(poison, async (bad) => {
      const submit = batched<number, number>(async (items) => {
        if (items.some((item) => bad.includes(item))) throw new Error('poison');
        return items.map((item) => item * 10);
      }, 7);
      const calls = Array.from({ length: 20 }, (_, n) => submit(n));
      const results = await Promise.allSettled(calls);
      results.forEach((result, n) => {
        if (bad.includes(n)) expect(result).toMatchObject({ reason: { message: 'poison' } });
        else expect(result).toMatchObject({ value: n * 10 });
      });
    }),
    { numRuns: 30 },
  );
});

test('a database that cannot be reached is tried once, and not once for each item', async () => {
  let asked = 0;
  const submit = batched<number, number>(async () => {
    asked += 1;
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  });
  const results = await Promise.allSettled([submit(1), submit(2), submit(3)]);
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  expect(asked).toBe(1);
});

test('after a failure the next call works as before', async () => {
  let broken = true;
  const submit = batched<number, number>(async (items) => {
    if (broken) throw new Error('broken');
    return items;
  });
  await expect(submit(1)).rejects.toThrow('broken');
  broken = false;
  expect(await submit(2)).toBe(2);
});
