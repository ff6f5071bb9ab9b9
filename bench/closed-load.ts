import { createHistogram } from 'node:perf_hooks';
import { Pool } from 'undici';
import type { Figure } from './result.ts';

/** The figure, and how many requests it is of. */
export type Driven = { figure: Figure; count: number };

/**
 * A closed load: each of the keep-alive connections calls `send` again when it has its answer, while `isOn` returns true.
 * `send` returns false when there is nothing left to send.
 */
export async function driveClosed(
  { port, connections }: { port: number; connections: number },
  isOn: () => boolean,
  send: (pool: Pool) => Promise<boolean>,
): Promise<Driven> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
  const latencies = createHistogram();
  const cpu = process.cpuUsage();
  const start = performance.now();

  async function drive(): Promise<void> {
    while (isOn()) {
      const sentAt = performance.now();
      if (!(await send(pool))) return;
      latencies.record(Math.max(1, Math.round((performance.now() - sentAt) * 1000)));
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
}
