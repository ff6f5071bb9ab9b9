import { expect, test } from 'vitest';
import { kinds } from './breaks/kinds.ts';
import { drawSchedule, linesOf, shapeOf } from './schedule.ts';

const seeds = Array.from({ length: 300 }, (_, at) => at + 1);

test('a seed has the same schedule each time, and another seed another one', () => {
  for (const seed of seeds.slice(0, 20)) expect(drawSchedule(seed)).toEqual(drawSchedule(seed));
  expect(new Set(seeds.map((seed) => JSON.stringify(drawSchedule(seed)))).size).toBe(seeds.length);
});

test('three hundred seeds have each kind and each shape, and most of them several breaks at once', () => {
  const all = seeds.map(drawSchedule);
  expect(new Set(all.flat().map(({ kind }) => kind))).toEqual(new Set(kinds.keys()));
  expect(new Set(seeds.map((seed) => JSON.stringify(shapeOf(seed)))).size).toBe(3);
  const overlapping = all.filter((breaks) =>
    breaks.some((one, at) => breaks.slice(at + 1).some(({ atMs }) => atMs < one.atMs + one.forMs)),
  );
  expect(overlapping.length).toBeGreaterThan(seeds.length * 0.8);
});

test('a process is not stopped while it is killed, and both endpoints are never broken while one lies', () => {
  for (const breaks of seeds.map(drawSchedule)) {
    for (const one of breaks.filter(({ kind }) => kind === 'lies' || kind === 'killed')) {
      const during = breaks.filter(
        (other) => other !== one && other.atMs < one.atMs + one.forMs && one.atMs < other.atMs + other.forMs,
      );
      const taken = during.filter(({ kind, target }) =>
        one.kind === 'lies'
          ? target.startsWith('endpoint')
          : target === one.target && ['killed', 'stands still', 'worker killed'].includes(kind),
      );
      expect(taken, linesOf(breaks).join('\n')).toEqual([]);
    }
  }
});
