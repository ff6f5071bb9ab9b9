import { expect, test } from 'vitest';
import { openTally } from '../load/tally.ts';
import type { Probe } from './probe.ts';
import { type Failover, faultsOf, tableOf } from './table.ts';

const failover = (...served: number[]): Failover => ({
  ...{ fault: 'killed', from: 'one', tookMs: 20_000, served, gaps: [20_500, 21_000], wholeMs: 40_000 },
});
const probeWith = (...statuses: [string, number][]): Probe => ({
  ...{ answered: [], statuses: new Map(statuses), firstAfter: () => 0, longestGapSince: () => 0 },
  stop: async () => {},
});
const reckoned = { lost: [], doubled: [], books: [], webhooks: '' };
const found = { tally: openTally(), probes: [probeWith(['200', 9], ['503', 4])], reckoned, lost: [] };

test('the table names each failover, and what lies below half and 99 in 100 of all times', () => {
  expect(tableOf([failover(500, 1_200), failover(900, 2_600)])).toEqual([
    'served again, over both gateways: p50 0.9 s, p99 2.6 s, max 2.6 s',
    '     fault       from  other (s)  hosts (s)  proxy (s)  hosts gap  proxy gap  whole (s)',
    '    killed        one       20.0        0.5        1.2       20.5       21.0       40.0',
    '    killed        one       20.0        0.9        2.6       20.5       21.0       40.0',
  ]);
});

test('answers of 503 are usual; all else that went wrong is told', () => {
  expect(faultsOf({ ...found, done: [failover(500, 9_999)] })).toEqual([]);
  const probes = [probeWith(['200', 9], ['500', 1])];
  const lost = ['PROBE-HOSTS-7'];
  expect(faultsOf({ ...found, probes, lost, done: [failover(500, Number.POSITIVE_INFINITY)] })).toEqual([
    '1 wrong:\n  a probe: 500 x 1',
    '1 lost:\n  PROBE-HOSTS-7',
    'served again only after Infinity s (p99)',
  ]);
});
