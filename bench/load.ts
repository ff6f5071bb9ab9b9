// The load generator: so many keep-alive connections, each of which sends its next request when it has the answer.
import { createHistogram } from 'node:perf_hooks';
import { Pool } from 'undici';
import { answer } from './child.ts';
import type { Figure } from './result.ts';

export type Load = {
  port: number;
  method: 'GET' | 'PUT' | 'POST';
  headers: Record<string, string>;
  /** Sent in turn, over and over; a body is JSON text. */
  requests: { path: string; body?: string }[];
  connections: number;
  seconds: number;
};

/** The figure, and how many requests it is of. */
export type Driven = { figure: Figure; count: number };

answer<Load, Driven>(async (load) => {
  const { port, method, headers, requests, connections } = load;
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
  const latencies = createHistogram();
  const cpu = process.cpuUsage();
  const start = performance.now();
  const end = start + load.seconds * 1000;
  let next = 0;

  async function drive(): Promise<void> {
    for (let now = start; now < end; ) {
      const { path, body = null } = requests[next++ % requests.length]!;
      const sentAt = performance.now();
      const response = await pool.request({ path, method, headers, body });
      if (response.statusCode !== 200) throw new Error(`Answered ${await response.body.text()}`);
      await response.body.dump();
      now = performance.now();
      latencies.record(microseconds(now - sentAt));
    }
  }

  await Promise.all(Array.from({ length: connections }, drive));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await pool.close();
  return {
    figure: {
      perSecond: latencies.count / seconds,
      p50Ms: latencies.percentile(50) / 1000,
      p99Ms: latencies.percentile(99) / 1000,
      generatorCpu: (user + system) / 1e6 / seconds,
    },
    count: latencies.count,
  };
});

function microseconds(ms: number): number {
  return Math.max(1, Math.round(ms * 1000));
}
