import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { createApp } from '../app.ts';
import { type Config, ConfigError, readConfig } from '../config/config.ts';
import { startDemoChain } from '../demo/chain/demo-chain.ts';
import { assetsOfDemoChain, withDemoChain } from '../demo/chain/demo-config.ts';
import { assertKeptApart, type DemoNetworks, networkAssets } from '../demo/networks.ts';
import { startDemoPi, withDemoPi } from '../demo/pi/demo-pi.ts';
import { type Demo, prepareDemo } from '../demo/seed.ts';
import { startDemoShop } from '../demo/shop.ts';
import { systemClock } from '../kit/clock.ts';
import { openDatabase, transaction } from '../kit/db/db.ts';
import { forgetLeases } from '../kit/db/lease.ts';
import { migrate, readMigrations } from '../kit/db/migrate.ts';
import { EmbeddedInUse } from '../kit/postgres/embedded-postgres.ts';
import { openServer } from '../operations/database.ts';
import { assertAssetsKept } from '../operations/kept-assets.ts';
import { openSeal } from '../operations/master-key.ts';
import { serveMetrics } from '../operations/operations.ts';
import { forgetWorkers } from '../webhooks/endpoints/endpoints.ts';
import { announce } from './announce.ts';

const shutdownMs = 9_000;
const readyPollMs = 20;

/** What has been started, to be stopped in the opposite order, also when the start failed half way. */
type Stops = { name: string; stop: () => Promise<unknown> }[];

/** Runs the gateway until SIGTERM or SIGINT; the process then ends by itself with 0, or with 1 after an error. */
export async function serve(env: NodeJS.ProcessEnv, networks: DemoNetworks): Promise<void> {
  const stops: Stops = [];
  let stopping: Promise<void> | undefined;
  const end = (code: number): void => {
    stopping ??= stopAll(stops).then(() => process.exit(code));
    // A part that hangs must not keep the process alive: the database survives a killed process.
    setTimeout(() => process.exit(code), shutdownMs).unref();
  };
  process.on('SIGTERM', () => end(0));
  process.on('SIGINT', () => end(0));
  try {
    const config = readConfig(env);
    assertKeptApart(config, networks);
    const demo = await start(config, networks, stops, () => end(1));
    if (!stopping) process.stdout.write(announce(config, demo));
  } catch (error) {
    if (stopping) return;
    process.stderr.write(`${explain(error)}\n`);
    end(1);
  }
}

async function start(
  settings: Config,
  networks: DemoNetworks,
  stops: Stops,
  onLost: () => void,
): Promise<Demo | null> {
  const log = pino({ level: settings.logLevel }, pino.destination(2));
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const server = await openServer(settings, {
    log: (line) => log.info(line),
    onExit: () => {
      log.fatal('the embedded database ended');
      onLost();
    },
  });
  stops.push({ name: 'database', stop: () => server.stop() });
  const db = openDatabase(server.connection);
  stops.push({ name: 'connections', stop: () => db.end() });

  const migrations = await readMigrations(join(import.meta.dirname, '..'));
  await migrate(db, migrations);
  if (settings.database.kind === 'embedded') {
    await transaction(db, forgetLeases);
    await transaction(db, forgetWorkers);
  }
  const seal = await openSeal(db, settings.masterKeyFile);
  // After the database, whose lock also keeps a second gateway from starting these.
  const { config, chain, pi } = await openNetworks(settings, networks, log, stops, onLost);
  await assertAssetsKept(db, config.assets.all, await networkAssets(config));
  const demo = await prepareDemo({ config, db, seal, chain, pi, now: systemClock() });
  if ((chain || pi) && !demo)
    throw new ConfigError([`${chain ? '--chain' : '--pi'} needs the demo, and this database has none`]);

  const app = await createApp({
    config,
    db,
    connection: server.connection as object,
    migrations,
    seal,
    walletBackendToken: config.walletBackend ? await readSecret(config.walletBackend.tokenFile) : '',
    ...(config.tls
      ? { tls: { cert: await readFile(config.tls.certFile), key: await readFile(config.tls.keyFile) } }
      : {}),
    shopUrl: demo?.file.shop_url,
    faucet: chain?.faucet,
    log,
    now: systemClock,
  });
  stops.push({ name: 'gateway', stop: () => app.close() });
  await app.server.listen({ host: config.host, port: config.port });
  const metrics = await serveMetrics(app.metrics, config.metricsHost, config.metricsPort);
  stops.push({ name: 'metrics', stop: async () => metrics.close() });
  app.startWorkers();
  if (demo) {
    const shop = await startDemoShop(config, demo);
    stops.push({ name: 'shop', stop: () => shop.stop() });
  }
  await untilReady(() => app.server.inject({ method: 'GET', url: '/ready' }));
  return demo;
}

/** Starts the requested demo networks and returns the configuration that includes them. */
async function openNetworks(
  settings: Config,
  wanted: DemoNetworks,
  log: Logger,
  stops: Stops,
  onLost: () => void,
) {
  const { dataDir, chainPort, piPort, payUrl } = settings;
  let config = settings;
  const chain = wanted.chain
    ? await startDemoChain({ dataDir, port: chainPort, assets: assetsOfDemoChain(settings), log })
    : null;
  if (chain) {
    guard('demo chain', chain, log, stops, onLost);
    config = withDemoChain(config, chain.config);
  }
  const pi = wanted.pi
    ? await startDemoPi({ dataDir, port: piPort, pageOrigin: new URL(payUrl).origin })
    : null;
  if (pi) {
    guard('demo Pi network', pi, log, stops, onLost);
    config = withDemoPi(config, pi.config);
  }
  return { config, chain, pi };
}

/** Ends a demo network with the gateway, and the gateway when a demo network ends by itself. */
function guard(
  name: string,
  network: { exited: Promise<void>; stop(): Promise<void> },
  log: Logger,
  stops: Stops,
  onLost: () => void,
): void {
  let stopping = false;
  stops.push({
    name,
    stop: () => {
      stopping = true;
      return network.stop();
    },
  });
  void network.exited.then(() => {
    if (stopping) return;
    log.fatal(`the ${name} ended`);
    onLost();
  });
}

async function untilReady(ask: () => Promise<{ statusCode: number }>): Promise<void> {
  while ((await ask()).statusCode !== 200) await new Promise((resolve) => setTimeout(resolve, readyPollMs));
}

async function stopAll(stops: Stops): Promise<void> {
  for (const { name, stop } of stops.reverse()) {
    await stop().catch((error: Error) => process.stderr.write(`${name} did not stop: ${error.message}\n`));
  }
}

async function readSecret(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trim();
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) {
    const faults = error.faults.map((fault) => `  ${fault}`).join('\n');
    return `Florin cannot start: the configuration has faults.\n${faults}\nSee florin config --help.`;
  }
  if (error instanceof EmbeddedInUse) return error.message;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') return `Florin cannot start: port ${port} is in use by another program.`;
  return `Florin cannot start: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
}
