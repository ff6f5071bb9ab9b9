import { type Config, ConfigError, readConfig } from '../config/config.ts';
import { installChain } from '../demo/chain/program.ts';
import { assertKeptApart } from '../demo/networks.ts';
import { startDemoShop } from '../demo/shop.ts';
import { type ServedMetrics, serveMetrics } from '../kit/http/metrics.ts';
import { readUpgrade, startDuring, type UpgradeState } from '../operations/upgrading/state.ts';
import { announce } from './announce.ts';
import { startWalArchive } from './archiving/start.ts';
import { startBackups } from './backups/start.ts';
import { awaitPart } from './serving/demo-part.ts';
import { explain } from './serving/explain.ts';
import { openLog } from './serving/log.ts';
import { openApp } from './serving/open-app.ts';
import type { ServeOptions } from './serving/options.ts';
import { assertFree, openDataDir, StartFault } from './serving/places.ts';
import { type Prepared, prepare, type Surroundings } from './serving/prepare.ts';
import { type Stops, stopAll } from './serving/stops.ts';
import { startWorkers } from './serving/supervisor.ts';

const shutdownMs = 9_000;
const restoredPauseMs = 1_000;

/** Runs the gateway until SIGTERM or SIGINT; the process then ends by itself with 0, or with 1 after an error. */
export async function serve(env: NodeJS.ProcessEnv, options: ServeOptions): Promise<void> {
  const stops: Stops = [];
  let stopping: Promise<void> | undefined;
  let reopening: Promise<void> | undefined;
  const stopNow = async (): Promise<void> => {
    await reopening?.catch(() => {});
    await stopAll(stops);
  };
  const end = (code: number): void => {
    stopping ??= stopNow().then(() => process.exit(code));
    // A part that hangs must not keep the process alive. A killed process does not damage the database.
    setTimeout(() => process.exit(code), shutdownMs).unref();
  };
  const fail = (error: unknown): void => {
    if (stopping) return;
    process.stderr.write(`${explain(error)}\n`);
    end(1);
  };
  process.on('SIGTERM', () => end(0));
  process.on('SIGINT', () => end(0));
  try {
    const config = readConfig(env);
    assertKeptApart(config, options.networks);
    assertShared(config, options);
    await openDataDir(config.dataDir);
    const isTrial = isTried(await readUpgrade(config.dataDir));
    const chosen: ServeOptions = isTrial ? { ...options, role: 'api', workers: null } : options;
    await assertPortsFree(config, chosen);
    if (chosen.networks.chain) await installChain();
    const log = openLog({ level: config.logLevel });
    const terms = { ...chosen, isTrial };
    const open = async (): Promise<void> => {
      const prepared = await start(config, terms, { log, stops, onLost: () => end(1), onRestored: reopen });
      if (isTrial) process.stdout.write('Florin is tried, and takes no request.\n');
      else if (!stopping) process.stdout.write(announce(prepared, options.role));
    };
    const reopen = (): void => {
      log.info('a backup was restored: the gateway starts again on it');
      // The page that asked for it sees the outcome first.
      setTimeout(() => {
        if (stopping) return;
        reopening = stopAll(stops.splice(0)).then(open);
        reopening.catch(fail);
      }, restoredPauseMs);
    };
    await open();
  } catch (error) {
    fail(error);
  }
}

/** Whether an upgrade tries this gateway, before it serves. Throws StartFault while an upgrade that was cut off must be ended first. */
function isTried(upgrade: UpgradeState | null): boolean {
  const how = startDuring(upgrade);
  if (how === 'wait')
    throw new StartFault(
      `The upgrade from ${upgrade?.from} to ${upgrade?.to} is not done. florin upgrade --resume goes on with it, ` +
        'florin upgrade --back goes back.',
    );
  return how === 'try';
}

/** Throws for one half of a gateway with an embedded database: the other half needs the same database. */
function assertShared({ database }: Config, { role }: ServeOptions): void {
  if (role !== 'all' && database.kind === 'embedded')
    throw new ConfigError([`--role ${role} needs DATABASE_URL: an embedded database serves one gateway`]);
}

/** Called before anything is started, so that a fault is reported at once. */
async function assertPortsFree({ host, port, metricsHost, metricsPort }: Config, { role }: ServeOptions) {
  if (role !== 'worker') await assertFree({ setting: 'PORT', host, port });
  await assertFree({ setting: 'METRICS_PORT', host: metricsHost, port: metricsPort });
}

type StartOptions = ServeOptions & { isTrial: boolean };

async function start(settings: Config, options: StartOptions, around: Surroundings): Promise<Prepared> {
  const { stops } = around;
  const prepared = await prepare(settings, options, around);
  const { config, demo } = prepared;
  const metrics = await open(prepared, options, around);
  if (options.role !== 'api') {
    const stop = await startBackups({ ...prepared, log: around.log });
    if (stop) stops.push({ name: 'backups', stop });
    const stopArchive = await startWalArchive({ ...prepared, log: around.log });
    if (stopArchive) stops.push({ name: 'archive of WAL', stop: stopArchive });
  }
  const metricsServer = await serveMetrics(metrics, config.metricsHost, config.metricsPort);
  stops.push({ name: 'metrics', stop: async () => metricsServer.close() });
  if (demo && options.role !== 'worker') {
    await assertFree({ setting: 'SHOP_PORT', host: '127.0.0.1', port: config.shopPort });
    const shop = startDemoShop(config, demo);
    stops.push({ name: 'shop', stop: () => shop.stop() });
    await awaitPart({ name: 'demo shop', url: demo.file.shop_url, open: shop.open }, around.log);
  }
  return prepared;
}

/** Runs the gateway in this process or in its workers. Resolves when it is ready, with its metrics. */
async function open(
  prepared: Prepared,
  { role, workers: count, isTrial }: StartOptions,
  { log, stops }: Surroundings,
): Promise<ServedMetrics> {
  if (count !== null) {
    const workers = await startWorkers(prepared, { count, role, log });
    stops.push({ name: 'workers', stop: workers.stop });
    return workers.metrics;
  }
  const { metrics } = await openApp({
    ...prepared,
    connection: prepared.connection as object,
    shopUrl: prepared.demo?.file.shop_url,
    log,
    role,
    isClosed: isTrial,
    onOpen: (app) => stops.push({ name: 'gateway', stop: () => app.close() }),
  });
  return metrics.registry;
}
