// An open load: requests are sent at a fixed rate, whether earlier ones were answered or not, as customers send them.
import { createHistogram } from 'node:perf_hooks';
import { answer } from './child.ts';
import { openLines, readHead } from './lines.ts';

export type OpenLoad = {
  port: number;
  /** A whole HTTP request, the same each time. */
  request: string;
  perSecond: number;
  seconds: number;
  connections: number;
};

export type OpenAnswers = { count: number; p50Ms: number; p99Ms: number };

export type OpenFigure = {
  sentPerSecond: number;
  /** By status; those without an answer have 0. */
  byStatus: Record<string, OpenAnswers>;
  /** Refusals without `Retry-After`. */
  withoutRetryAfter: number;
  cpu: number;
};

const tickMs = 2;

answer<OpenLoad, OpenFigure>(async ({ port, request, perSecond, seconds, connections }) => {
  const lines = openLines(port);
  const latencies = new Map<string, ReturnType<typeof createHistogram>>();
  let withoutRetryAfter = 0;
  let waiting = 0;

  function note(text: string, dueMs: number): void {
    const { status, saysWhen } = readHead(text);
    if (status !== '200' && status !== '0' && !saysWhen) withoutRetryAfter++;
    const histogram = latencies.get(status) ?? createHistogram();
    latencies.set(status, histogram);
    histogram.record(Math.max(1, Math.round((performance.now() - dueMs) * 1000)));
    waiting--;
  }
  await lines.dial(connections);

  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const total = Math.round(perSecond * seconds);
  let sent = 0;
  while (sent < total && lines.open() > 0) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) / 1000) * perSecond));
    while (sent < due) {
      // The latency of a request that was sent late includes the delay.
      const dueMs = startMs + (sent / perSecond) * 1000;
      if (!lines.send(request, (text) => note(text, dueMs))) break;
      sent++;
      waiting++;
    }
    await new Promise((resolve) => setTimeout(resolve, tickMs));
  }
  const tookSeconds = (performance.now() - startMs) / 1000;
  while (waiting > 0) await new Promise((resolve) => setTimeout(resolve, tickMs));
  const { user, system } = process.cpuUsage(cpu);
  lines.close();
  const byStatus = [...latencies].map(([status, histogram]): [string, OpenAnswers] => [
    status,
    {
      count: histogram.count,
      p50Ms: histogram.percentile(50) / 1000,
      p99Ms: histogram.percentile(99) / 1000,
    },
  ]);
  return {
    sentPerSecond: sent / tookSeconds,
    byStatus: Object.fromEntries(byStatus),
    withoutRetryAfter,
    cpu: (user + system) / 1e6 / tookSeconds,
  };
});
