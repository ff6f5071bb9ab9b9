import type { Reckoned } from '../load/reckon.ts';
import type { Tally } from '../load/tally.ts';
import type { Probe } from './probe.ts';

/** One failover. Of each pair the first is the gateway with both servers, the second the one behind HAProxy. */
export type Failover = {
  fault: string;
  from: string;
  /** From the fault until another server took a write. */
  tookMs: number;
  /** From then until the first 200 of a write; infinite: there was none within a minute. */
  served: number[];
  /** How long no write was answered 200, at most. */
  gaps: number[];
  /** From the fault until both servers were there again. */
  wholeMs: number;
};

const seconds = (ms: number): string => (ms / 1000).toFixed(1);
const width = 10;
const rowOf = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(width)).join(' ');

/** The value below which the part `share` of all lies. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

const servedOf = (done: readonly Failover[]): number[] => done.flatMap(({ served }) => served);

export function tableOf(done: readonly Failover[]): string[] {
  const head = [
    'fault',
    'from',
    'other (s)',
    'hosts (s)',
    'proxy (s)',
    'hosts gap',
    'proxy gap',
    'whole (s)',
  ];
  const all = servedOf(done);
  return [
    `served again, over both gateways: p50 ${seconds(percentile(all, 0.5))} s, p99 ${seconds(percentile(all, 0.99))} s, max ${seconds(Math.max(...all))} s`,
    rowOf(head),
    ...done.map(({ fault, from, tookMs, served, gaps, wholeMs }) =>
      rowOf([fault, from, ...[tookMs, ...served, ...gaps, wholeMs].map(seconds)]),
    ),
  ];
}

/** The longest time in which a gateway serves again, of 99 in 100. */
const mostMs = 10_000;
const shown = 20;

type Found = { done: Failover[]; tally: Tally; probes: Probe[]; reckoned: Reckoned; lost: string[] };

/** What may not be; empty where all is well. */
export function faultsOf({ done, tally, probes, reckoned, lost }: Found): string[] {
  const unusual = probes.flatMap(({ statuses }) =>
    [...statuses]
      .filter(([status]) => status !== '200' && status !== '503')
      .map((each) => `a probe: ${each.join(' x ')}`),
  );
  const lists = {
    refused: tally.refused,
    wrong: [...tally.wrongs, ...unusual],
    lost: [...reckoned.lost, ...lost],
    doubled: reckoned.doubled,
    books: reckoned.books,
  };
  const slow = percentile(servedOf(done), 0.99);
  return [
    ...Object.entries(lists)
      .filter(([, list]) => list.length > 0)
      .map(([name, list]) => `${list.length} ${name}:\n  ${list.slice(0, shown).join('\n  ')}`),
    ...(slow >= mostMs ? [`served again only after ${seconds(slow)} s (p99)`] : []),
  ];
}
