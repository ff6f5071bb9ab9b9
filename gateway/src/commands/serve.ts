import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp } from '../app.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { openServer } from '../database.ts';
import { type Demo, prepareDemo } from '../demo.ts';
import { startDemoShop } from '../demo-shop.ts';
import { systemClock } from '../kit/clock.ts';
import { openDatabase, transaction } from '../kit/db.ts';
import { EmbeddedInUse } from '../kit/embedded-postgres.ts';
import { migrate, readMigrations } from '../kit/migrate.ts';
import { openSeal } from '../master-key.ts';
import { serveMetrics } from '../operations.ts';
import { forgetLeases } from '../webhooks/service.ts';
import { announce } from './announce.ts';

const shutdownMs = 9_000;
const readyPollMs = 20;

/** What has been started, so that it can be stopped in the opposite order, even half way. */
type Stops = { name: string; stop: () => Promise<unknown> }[];

/** Runs the gateway until SIGTERM or SIGINT; the process then ends by itself with 0, or 1 after a fault. */
export async function serve(env: NodeJS.ProcessEnv): Promise<void> {
  const stops: Stops = [];
  let stopping: Promise<void> | undefined;
  const end = (code: number): void => {
    stopping ??= stopAll(stops).then(() => process.exit(code));
    // Whatever hangs must not keep the process: the database survives a hard end.
    setTimeout(() => process.exit(code), shutdownMs).unref();
  };
  process.on('SIGTERM', () => end(0));
  process.on('SIGINT', () => end(0));
  try {
    const config = readConfig(env);
    const demo = await start(config, stops, () => end(1));
    if (!stopping) process.stdout.write(announce(config, demo));
  } catch (error) {
    if (stopping) return;
    process.stderr.write(`${explain(error)}\n`);
    end(1);
  }
}

async function start(config: Config, stops: Stops, onLost: () => void): Promise<Demo | null> {
  const log = pino({ level: config.logLevel }, pino.destination(2));
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const server = await openServer(config, {
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
  if (config.database.kind === 'embedded') await transaction(db, forgetLeases);
  const seal = await openSeal(db, config.masterKeyFile);
  const demo = await prepareDemo({ config, db, seal, now: systemClock() });

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
    log,
    now: systemClock,
  });
  stops.push({ name: 'gateway', stop: () => app.close() });
  await app.server.listen({ host: config.host, port: config.port });
  const metrics = await serveMetrics(app.metrics, config.host, config.metricsPort);
  stops.push({ name: 'metrics', stop: async () => metrics.close() });
  app.startWorkers();
  if (demo) {
    const shop = await startDemoShop(config, demo);
    stops.push({ name: 'shop', stop: () => shop.stop() });
  }
  await untilReady(() => app.server.inject({ method: 'GET', url: '/ready' }));
  return demo;
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
