// An open load: requests are sent at a fixed rate, whether earlier ones were answered or not, as customers send them.
import { connect, type Socket } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { answer } from './child.ts';

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

type Line = { socket: Socket; dueMs: number; text: string };

const tickMs = 2;

answer<OpenLoad, OpenFigure>(async ({ port, request, perSecond, seconds, connections }) => {
  const idle: Line[] = [];
  const latencies = new Map<string, ReturnType<typeof createHistogram>>();
  let withoutRetryAfter = 0;
  let open = 0;
  let waiting = 0;

  function note(status: string, dueMs: number): void {
    const histogram = latencies.get(status) ?? createHistogram();
    latencies.set(status, histogram);
    histogram.record(Math.max(1, Math.round((performance.now() - dueMs) * 1000)));
    waiting--;
  }
  function take(line: Line, chunk: Buffer): void {
    line.text += chunk.toString('latin1');
    const head = line.text.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = /content-length: (\d+)/i.exec(line.text)?.[1] ?? '0';
    if (line.text.length < head + 4 + Number.parseInt(length, 10)) return;
    const status = line.text.slice(9, 12);
    if (status !== '200' && !/\r\nretry-after: \d/i.test(line.text)) withoutRetryAfter++;
    note(status, line.dueMs);
    line.text = '';
    idle.push(line);
  }
  async function dial(): Promise<void> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const line: Line = { socket, dueMs: 0, text: '' };
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    open++;
    socket.on('data', (chunk: Buffer) => take(line, chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      open--;
      const at = idle.indexOf(line);
      if (at >= 0) idle.splice(at, 1);
      else note('0', line.dueMs);
    });
    idle.push(line);
  }
  for (let dialled = 0; dialled < connections; dialled += 100)
    await Promise.all(Array.from({ length: Math.min(100, connections - dialled) }, dial));

  const all = [...idle];
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const total = Math.round(perSecond * seconds);
  let sent = 0;
  while (sent < total && open > 0) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) / 1000) * perSecond));
    while (sent < due) {
      const line = idle.shift();
      if (!line) break;
      // The latency of a request that was sent late includes the delay.
      line.dueMs = startMs + (sent / perSecond) * 1000;
      sent++;
      waiting++;
      line.socket.write(request);
    }
    await new Promise((resolve) => setTimeout(resolve, tickMs));
  }
  const tookSeconds = (performance.now() - startMs) / 1000;
  while (waiting > 0) await new Promise((resolve) => setTimeout(resolve, tickMs));
  const { user, system } = process.cpuUsage(cpu);
  for (const { socket } of all) socket.destroy();
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
