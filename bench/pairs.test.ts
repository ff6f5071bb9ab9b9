import { expect, test } from 'vitest';
import { measurePairs, ordersOf, spreadOf } from './pairs.ts';

test('kinds are measured in every order, and each is compared within its round', async () => {
  let speed = 1;
  const order: string[] = [];
  const kind = (name: string, us: number) => ({
    name,
    measure: async () => {
      order.push(name);
      const cpuUs = { gateway: us * speed, postgres: us * speed };
      if (order.length % 3 === 0) speed *= 2;
      return { perSecond: 100, p50Ms: 1, p99Ms: 2, generatorCpu: null, cpuUs };
    },
  });
  const [case1, case2, ...more] = await measurePairs(
    {
      ...{ name: 'made', base: kind('amount', 100), others: [kind('quoted', 110), kind('open', 120)] },
      ...{ rounds: 6, most: 1.15 },
    },
    () => {},
  );
  expect(more).toEqual([]);
  expect(case1).toMatchObject({ name: 'made, quoted', cpuPairs: { against: 'amount', most: 1.15 } });
  expect(case1?.cpuPairs?.ratios).toEqual(Array.from({ length: 6 }, () => expect.closeTo(1.1)));
  expect(case2?.cpuPairs?.ratios).toEqual(Array.from({ length: 6 }, () => expect.closeTo(1.2)));
  const rounds = Array.from({ length: 6 }, (_, round) => order.slice(round * 3, round * 3 + 3).join());
  expect(new Set(rounds).size).toBe(6);
});

test('there are six orders of three', () => {
  expect(ordersOf([1, 2, 3]).map((each) => each.join(''))).toEqual([
    '123',
    '132',
    '213',
    '231',
    '312',
    '321',
  ]);
});

test('half of the values lie between the bounds', () => {
  expect(spreadOf([5, 1, 2, 4, 3])).toEqual({ median: 3, low: 2, high: 4 });
  expect(spreadOf([1, 2])).toEqual({ median: 1.5, low: 1.25, high: 1.75 });
});
