import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import type { DemoFile } from '../../src/demo/seed.ts';
import type { ConsoleRoute } from '../../src/identity/console/console.ts';
import type { Resolve } from '../../src/identity/integrations/page-domain-check.ts';
import { type Clock, systemClock } from '../../src/kit/clock.ts';
import type { KnownRoute } from '../../src/kit/http/http.ts';
import { connectEmbedded } from '../../src/kit/postgres/embedded-postgres.ts';
import type { ProviderAt } from '../../src/wallets/operators/provider.ts';
import { childEnvironment } from '../suite/child-environment.ts';
import { atFileEnd } from '../suite/endings.ts';
import { checkAnswers } from './answer-check.ts';
import { type Api, createApi } from './api.ts';
import { makeDataDir, removeDataDir } from './data-dir.ts';
import { databaseEnv, type TestDatabase, testDatabase } from './database.ts';
import { type IntegrationSeed, type SeededIntegration, seedIntegration, testSeal } from './fixtures.ts';
import { freePorts } from './free-ports.ts';
import { spawnGateway } from './gateway-process.ts';

/** A gateway as a merchant meets it: a process of its own, with the demo. */
export type RunningGateway = {
  baseUrl: string;
  dataDir: string;
  /** The settings by which commands find its database. */
  settings: Record<string, string>;
  /** How the owner of the tables reaches its database. */
  connection(): Promise<pg.PoolConfig>;
  demo: DemoFile;
  /** Calls with the demo's test key. */
  api: Api;
  /** Calls with its live key. */
  liveApi: Api;
  /** Ends it politely; resolves when it and its children are gone. */
  stop(): Promise<void>;
  kill9(): Promise<void>;
  /** What it wrote to standard error. */
  log(): string;
};

type GatewayOptions = {
  env?: Record<string, string>;
  /** The data directory of an earlier one. */
  dataDir?: string;
  /** With a database server of its own, as `npm start` has it: that takes two seconds of CPU more. */
  embedded?: boolean;
  chain?: boolean;
  pi?: boolean;
};

/** Starts a gateway and resolves once it is ready. Its database is one of the run's server, if not `embedded`. */
export async function startGateway(options: GatewayOptions = {}): Promise<RunningGateway> {
  const { env = {}, dataDir = await makeDataDir(), chain = false, pi = false } = options;
  atFileEnd(() => removeDataDir(dataDir));
  const database = options.dataDir || options.embedded ? undefined : await testDatabase();
  const settings = {
    DATA_DIR: dataDir,
    ...(database && { ...databaseEnv(database), MASTER_KEY_FILE: join(dataDir, 'master.key'), DEMO: '1' }),
  };
  const networks = [...(chain ? ['--chain'] : []), ...(pi ? ['--pi'] : [])];
  const gateway = await spawnGateway({ ...settings, ...env }, ...networks);
  // What a failed test left running does not outlive the file.
  atFileEnd(() => gateway.end('SIGTERM'));
  await gateway.ready;
  const demo: DemoFile = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
  async function end(signal: NodeJS.Signals): Promise<void> {
    await gateway.end(signal);
  }
  return {
    baseUrl: gateway.url,
    dataDir,
    settings: { ...childEnvironment, ...settings },
    async connection() {
      const found = database ? database.connection : await connectEmbedded(dataDir);
      if (!found) throw new Error(`No database runs on ${dataDir}`);
      return found;
    },
    demo,
    api: createApi(gateway.url, demo.secret_key),
    liveApi: createApi(gateway.url, demo.live_secret_key),
    stop: () => end('SIGTERM'),
    kill9: () => end('SIGKILL'),
    log: gateway.errors,
  };
}

/** A gateway inside the test's own process, on a database of its own, with one integration. */
export type RunningApp = SeededIntegration &
  TestDatabase & {
    baseUrl: string;
    /** Calls with the integration's test key. */
    api: Api;
    consoleRoutes: readonly ConsoleRoute[];
    /** What it counts and measures, as Prometheus reads it. */
    metrics(): Promise<string>;
    routes: readonly KnownRoute[];
    /** Warnings and faults it logged, one JSON object a line. */
    log(): string;
  };

export type AppOptions = {
  env?: Record<string, string>;
  seed?: IntegrationSeed;
  /** One that is there already instead of a new one; with its `integration`. */
  database?: TestDatabase;
  integration?: SeededIntegration;
  now?: Clock;
  resolve?: Partial<Resolve>;
  kycProvider?: ProviderAt;
};

/** Starts a gateway in this process. Its webhooks may go to this machine; rate limits are off unless `env` says so. */
export async function startApp(options: AppOptions = {}): Promise<RunningApp> {
  const database = options.database ?? (await testDatabase());
  const seed = { allowPrivateWebhooks: true, ...options.seed };
  const integration = options.integration ?? (await seedIntegration(database.db, testSeal, seed));
  const [port, metricsPort, shopPort] = await freePorts(3);
  const ports = { PORT: `${port}`, METRICS_PORT: `${metricsPort}`, SHOP_PORT: `${shopPort}` };
  const config = readConfig({ RATE_LIMIT: '0', RATES: 'PI=1,CSK=1', ...ports, ...options.env });
  const logged: string[] = [];
  const app = await createApp({
    db: database.serving.db,
    connection: database.serving.connection as object,
    config,
    migrations: [],
    seal: testSeal,
    walletBackendToken: 'a token',
    resolve: options.resolve,
    kycProvider: options.kycProvider ?? null,
    log: pino({ level: 'warn' }, { write: (line) => logged.push(line) }),
    now: options.now ?? systemClock,
  });
  checkAnswers(app.server);
  await app.server.listen({ host: config.host, port: config.port });
  app.startWorkers();
  atFileEnd(() => app.close());
  return {
    ...integration,
    ...database,
    baseUrl: config.baseUrl,
    api: createApi(config.baseUrl, integration.secretKey),
    consoleRoutes: app.consoleRoutes,
    metrics: () => app.metrics.registry.metrics(),
    routes: app.routes,
    log: () => logged.join(''),
  };
}
