import { expect, test } from 'vitest';
import type { Case, RowResult } from './result.ts';
import { tableOf } from './table.ts';

const row = (each: Case): RowResult => ({ row: 'create', title: 'Payments created', cases: [each] });
const figures = {
  gateway: { perSecond: 9000.4, p50Ms: 4, p99Ms: 9.126, generatorCpu: 0.3 },
  'bare route': { perSecond: 12_000, p50Ms: 2, p99Ms: 5, generatorCpu: 0.5 },
};

test('a ratio stands in a line with both figures and what it should be', () => {
  const ratios = [{ against: 'bare route', ratio: 0.75, aim: 0.6 }];
  const lines = tableOf([row({ name: '64 connections', figures, runs: {}, ratios, limits: {} })]).split('\n');
  expect(lines.slice(2)).toEqual([
    '| Payments created | 64 connections | 9,000/s, p50 4.00 ms, p99 9.13 ms | bare route | 12,000/s, p50 2.00 ms, p99 5.00 ms | 0.75 | >= 0.6 |',
  ]);
});

test('a latency with a limit has a line of its own', () => {
  const lines = tableOf([row({ name: 'idle', figures, runs: {}, ratios: [], limits: { p99Ms: 15 } })]).split(
    '\n',
  );
  expect(lines.slice(2)).toEqual([
    '| Payments created | idle | p99 9.13 ms | bare route | p99 5.00 ms |  | < 15 ms |',
  ]);
});

test('CPU time with a limit, and what an operation takes beside time, have lines of their own', () => {
  const gateway = { ...figures.gateway, cpuUs: { gateway: 83.4, postgres: 1061 } };
  const limits = { cpuUs: { gateway: 250, postgres: 350 } };
  const amounts = [{ of: 'bytes on the disk', count: 6902.25 }];
  const each = { name: 'paid', figures: { gateway }, runs: {}, ratios: [], limits, amounts };
  expect(
    tableOf([row(each)])
      .split('\n')
      .slice(2),
  ).toEqual([
    '| Payments created | paid | CPU 83 + 1,061 us |  |  |  | <= 250 + 350 us |',
    '| Payments created | paid | 6,902 bytes on the disk |  |  |  |  |',
  ]);
});

test('pairs stand in a line with both figures, their median and the bounds of their middle half', () => {
  const cpuUs = { gateway: 100, postgres: 60 };
  const both = {
    gateway: { ...figures.gateway, cpuUs },
    'an amount': { ...figures['bare route'], cpuUs: { gateway: 90, postgres: 55 } },
  };
  const cpuPairs = { against: 'an amount', ratios: [1.1, 1.08, 1.13], most: 1.15 };
  const each = { name: 'quoted', figures: both, runs: {}, ratios: [], limits: {}, cpuPairs };
  expect(
    tableOf([row(each)])
      .split('\n')
      .slice(2),
  ).toEqual([
    '| Payments created | quoted | 9,000/s, p50 4.00 ms, p99 9.13 ms, CPU 100 + 60 us | an amount | 12,000/s, p50 2.00 ms, p99 5.00 ms, CPU 90 + 55 us | CPU 1.10 (1.09 to 1.11 in the middle half of 3 pairs) | <= 1.15 |',
  ]);
});
