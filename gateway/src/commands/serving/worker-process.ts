// The program of a worker process: node:cluster runs it under a supervisor, and ends it when the supervisor is gone.
import { join } from 'node:path';
import type { App } from '../../app.ts';
import { openDatabase } from '../../kit/db/db.ts';
import { readMigrations } from '../../kit/db/migrate.ts';
import { createSharedBuckets } from '../../kit/http/shared-buckets.ts';
import { createPeer } from '../../kit/process-calls.ts';
import type { Restorer } from '../../operations/first-run/restorer.ts';
import type { MetricList, SupervisorCalls, WorkerCalls, WorkerStart } from './calls.ts';
import { explain } from './explain.ts';
import { openLog } from './log.ts';
import { openApp } from './open-app.ts';
import { type Stops, stopAll } from './stops.ts';

const shutdownMs = 8_000;
const stops: Stops = [];
let app: App | undefined;
let isStopping = false;

const calls: WorkerCalls = {
  async start(given) {
    try {
      await start(given);
    } catch (error) {
      throw new Error(explain(error));
    }
  },
  async metrics() {
    return (await app?.metrics.registry.getMetricsAsJSON()) as MetricList;
  },
  async stop() {
    stop();
  },
};

const supervisor = createPeer<SupervisorCalls>(
  {
    // A supervisor that cannot be sent to has ended, and this process ends with it.
    send: (message) => process.send?.(message, () => {}),
    onMessage: (listener) => process.on('message', listener),
  },
  calls,
);

const restorerOfSupervisor: Restorer = {
  begin: (order) => supervisor.call('beginRestore', order),
  state: () => supervisor.call('restoreState', undefined as never),
  placed: () => supervisor.call('placedBackups', undefined as never),
};

async function start({ number, workers, role, config, connection, ...given }: WorkerStart): Promise<void> {
  const log = openLog({ level: config.logLevel, base: { pid: process.pid, worker: number } });
  const db = openDatabase(connection);
  stops.push({ name: 'connections', stop: () => db.end() });
  app = await openApp({
    config,
    db,
    connection: connection as object,
    migrations: await readMigrations(join(import.meta.dirname, '../..')),
    shopUrl: given.shopUrl,
    restorer: given.hasRestorer ? restorerOfSupervisor : undefined,
    faucet: given.hasFaucet ? (to) => supervisor.call('faucet', to) : undefined,
    openBuckets: createSharedBuckets((requests) => supervisor.call('tokens', requests), workers),
    worker: `${number}`,
    log,
    role,
    onOpen: (opened) => stops.push({ name: 'gateway', stop: () => opened.close() }),
  });
}

function stop(): void {
  if (isStopping) return;
  isStopping = true;
  void stopAll(stops).then(() => process.exit(0));
  setTimeout(() => process.exit(0), shutdownMs).unref();
}

// Ctrl-C reaches every process of the terminal; the supervisor says when its workers end.
process.on('SIGINT', () => {});
process.on('SIGTERM', stop);
