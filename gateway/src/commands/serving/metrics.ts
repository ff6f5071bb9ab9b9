import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import { collectNodeMetrics, type ServedMetrics } from '../../kit/http/metrics.ts';
import type { Peer } from '../../kit/process-calls.ts';
import type { MetricList, WorkerCalls } from './calls.ts';

/** The metrics of all worker processes and of their supervisor as one document. */
export type WorkersMetrics = ServedMetrics & {
  /** Counts a worker that was started again. */
  restarted(): void;
};

const answerMs = 2_000;

/**
 * Adds up what the workers count, takes once what they all read from the database, and labels what belongs to one process
 * with its number. A worker that does not answer is left out.
 */
export function collectMetrics(workers: () => Peer<WorkerCalls>[]): WorkersMetrics {
  const own = new Registry();
  collectNodeMetrics(own, 'supervisor');
  const restarts = new Counter({
    name: 'florin_worker_restarts_total',
    help: 'Worker processes that ended by themselves and were started again.',
    registers: [own],
  });
  new Gauge({
    name: 'florin_workers',
    help: 'Worker processes that run.',
    registers: [own],
    collect() {
      this.set(workers().length);
    },
  });
  return {
    contentType: own.contentType,
    async metrics() {
      const answers = await Promise.all(workers().map(metricsOf));
      const all = [(await own.getMetricsAsJSON()) as MetricList, ...answers.filter((each) => each !== null)];
      return await AggregatorRegistry.aggregate(all).metrics();
    },
    restarted: () => restarts.inc(),
  };
}

async function metricsOf(worker: Peer<WorkerCalls>): Promise<MetricList | null> {
  const late = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), answerMs).unref();
  });
  return await Promise.race([worker.call('metrics', undefined as never).catch(() => null), late]);
}
