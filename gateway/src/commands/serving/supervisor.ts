import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { systemClock } from '../../kit/clock.ts';
import { createBucketKeeper } from '../../kit/http/shared-buckets.ts';
import { createPeer, type Peer } from '../../kit/process-calls.ts';
import { programAt } from '../../kit/programs.ts';
import type { SupervisorCalls, WorkerCalls, WorkerStart } from './calls.ts';
import { WorkerFault } from './explain.ts';
import { collectMetrics, type WorkersMetrics } from './metrics.ts';
import type { Role } from './options.ts';
import type { Prepared } from './prepare.ts';

/** The worker processes of a gateway. */
export type Workers = {
  metrics: WorkersMetrics;
  /** Ends them all, each after what it has under way. */
  stop(): Promise<void>;
};

type Running = { process: Worker; peer: Peer<WorkerCalls>; ready: Promise<void>; startedMs: number };

const stopMs = 8_500;
/** A worker that ended sooner than this is started again after a pause, which doubles each time. */
const shortLifeMs = 10_000;
const pausesMs = { least: 100, most: 5_000 };

/**
 * Starts `count` worker processes on one port, and starts each again that ends by itself. Resolves when all are ready.
 * The leases of a worker that died run out by themselves.
 */
export async function startWorkers(
  prepared: Pick<Prepared, 'config' | 'connection' | 'demo' | 'faucet' | 'restorer'>,
  { count, role, log }: { count: number; role: Role; log: Logger },
): Promise<Workers> {
  const { config, connection, demo, faucet, restorer } = prepared;
  setUpCluster();
  const takeTokens = createBucketKeeper(() => systemClock().getTime());
  const calls: SupervisorCalls = {
    tokens: async (requests) => takeTokens(requests),
    async faucet(to) {
      await faucet?.(to);
    },
    beginRestore: async (order) => (await restorer?.begin(order)) ?? false,
    restoreState: async () => (await restorer?.state()) ?? null,
    placedBackups: async () => (await restorer?.placed()) ?? null,
  };
  const running = new Map<number, Running>();
  const pauses = new Map<number, number>();
  const timers = new Set<NodeJS.Timeout>();
  const metrics = collectMetrics(() => [...running.values()].map(({ peer }) => peer));
  let stopping = false;

  function fork(number: number): Running {
    const child = cluster.fork(noOwner);
    const peer = createPeer<WorkerCalls>(
      {
        // A worker that cannot be sent to has ended, and its exit starts another.
        send: (message) => void child.send(message, () => {}),
        onMessage: (listener) => child.on('message', listener),
      },
      calls,
    );
    const start: WorkerStart = {
      ...{ number, workers: count, role, config, connection },
      shopUrl: demo?.file.shop_url,
      hasFaucet: faucet !== undefined,
      hasRestorer: restorer !== undefined,
    };
    const ready = peer.call('start', start);
    const worker = { process: child, peer, ready, startedMs: performance.now() };
    running.set(number, worker);
    child.once('exit', (code, signal) => {
      peer.end();
      running.delete(number);
      if (!stopping && !starting) restart(number, worker, signal ?? code);
    });
    return worker;
  }

  function restart(number: number, { startedMs }: Running, how: string | number): void {
    const isShort = performance.now() - startedMs < shortLifeMs;
    const before = pauses.get(number) ?? 0;
    const pauseMs = isShort ? Math.min(pausesMs.most, Math.max(pausesMs.least, before * 2)) : 0;
    pauses.set(number, pauseMs);
    log.error({ worker: number, ended: how, pauseMs }, 'a worker process ended and is started again');
    const timer = setTimeout(() => {
      timers.delete(timer);
      metrics.restarted();
      const worker = fork(number);
      worker.ready.catch((error: Error) => {
        log.error({ worker: number, fault: error.message }, 'a worker process could not start');
        worker.process.process.kill('SIGKILL');
      });
    }, pauseMs);
    timers.add(timer);
  }

  async function stop(): Promise<void> {
    stopping = true;
    for (const timer of timers) clearTimeout(timer);
    await Promise.all([...running.values()].map(endWorker));
  }

  let starting = true;
  const first = Array.from({ length: count }, (_, index) => fork(index + 1));
  try {
    await Promise.all(first.map(({ ready }) => ready));
  } catch (error) {
    await stop();
    throw new WorkerFault(error instanceof Error ? error.message : String(error));
  }
  starting = false;
  return { metrics, stop };
}

function setUpCluster(): void {
  const { options, file } = programAt(join(import.meta.dirname, 'worker-process.ts'));
  cluster.setupPrimary({
    exec: file,
    args: [],
    execArgv: [...process.execArgv, ...options],
    // The configuration has bigints and maps.
    serialization: 'advanced',
  });
}

/** Ends a worker after what it has under way; kills it when that takes too long. */
async function endWorker({ process: child, peer }: Running): Promise<void> {
  const ended = once(child, 'exit');
  peer.call('stop', undefined as never).catch(() => {});
  const timer = setTimeout(() => child.process.kill('SIGKILL'), stopMs);
  await ended;
  clearTimeout(timer);
}

/** Workers serve, and need no owner of the database. */
const noOwner = {
  MIGRATE_DATABASE_URL: '',
  MIGRATE_DATABASE_URL_FILE: '',
  MIGRATE_DATABASE_URL_COMMAND: '',
};
