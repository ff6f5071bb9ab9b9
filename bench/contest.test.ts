import { expect, test } from 'vitest';
import { palindrome, runContest } from './contest.ts';
import type { Figure } from './result.ts';

const figure = (perSecond: number): Figure => ({ perSecond, p50Ms: 1, p99Ms: 2, generatorCpu: null });

test('contestants are measured there and back again', () => {
  expect(palindrome(['a', 'b', 'c'])).toEqual(['a', 'b', 'c', 'c', 'b', 'a']);
});

test('a machine that slows down steadily changes no ratio', async () => {
  let speed = 1.1;
  const order: string[] = [];
  const contestant = (name: string, full: number) => ({
    name,
    measure: async () => {
      order.push(name);
      speed -= 0.1;
      return figure(full * speed);
    },
  });
  const result = await runContest(
    {
      name: 'slowing',
      contestants: [contestant('gateway', 600), contestant('bare', 1000)],
      aims: { bare: 0.5 },
      warmUp: async () => {},
    },
    () => {},
  );
  expect(order).toEqual(['gateway', 'bare', 'bare', 'gateway']);
  expect(result.ratios).toEqual([{ against: 'bare', ratio: expect.closeTo(0.6), aim: 0.5 }]);
});

test('the CPU of an operation is compared in the process of each alone, turn by turn', async () => {
  const turns = { gateway: [30, 50], bare: [10, 20] };
  const contestant = (name: 'gateway' | 'bare') => ({
    name,
    measure: async () => ({ ...figure(1), cpuUs: { gateway: turns[name].shift()!, postgres: 99 } }),
  });
  const { cpuPairs } = await runContest(
    {
      ...{ name: 'costly', contestants: [contestant('gateway'), contestant('bare')], aims: {} },
      cpuAim: { against: 'bare', most: 2 },
      warmUp: async () => {},
    },
    () => {},
  );
  expect(cpuPairs).toEqual({ against: 'bare', most: 2, ratios: [3, 2.5] });
});
