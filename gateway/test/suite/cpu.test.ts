import { expect, test } from 'vitest';
import { cpuLines, cpuMs, parseStat, treeMs } from './cpu.ts';

test('a line of /proc is read though the name of the program holds blanks and brackets', () => {
  const line = '4711 (a (b) c) S 42 1 1 0 -1 4194304 100 0 0 0 7 3 20 10 20 0 1 0 85102 3133440 413';
  expect(parseStat(line)).toEqual({ pid: 4711, parent: 42, ms: 400 });
});

test('a line that is cut short is none', () => {
  expect(parseStat('4711 (node) S 42 1 1')).toBeUndefined();
});

test('a process is counted with everything below it, and nothing beside it', () => {
  const processes = [
    { pid: 1, parent: 0, ms: 1000 },
    { pid: 2, parent: 1, ms: 10 },
    { pid: 3, parent: 2, ms: 5 },
    { pid: 4, parent: 1, ms: 100 },
  ];
  expect(treeMs(processes, 2)).toBe(15);
});

test.skipIf(cpuMs() === undefined)('what this process works is counted', () => {
  const before = cpuMs() ?? 0;
  const own = process.cpuUsage();
  while (process.cpuUsage(own).user < 60_000);
  expect((cpuMs() ?? 0) - before).toBeGreaterThanOrEqual(30);
});

test('the dearest come first, ten of them, and all are added up', () => {
  const parts = Array.from({ length: 12 }, (_, index) => ({ of: `${index}.test.ts`, ms: index * 1000 }));
  const lines = cpuLines(parts);
  expect(lines[0]).toContain('66.0 s');
  expect(lines.slice(1).map((line) => line.trim())).toEqual(
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((index) => `${index}.0 s  ${index}.test.ts`),
  );
});

test('nothing is said where nothing can be counted', () => {
  expect(cpuLines([])).toEqual([]);
});
