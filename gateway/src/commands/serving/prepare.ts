import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Config, ConfigError } from '../../config/config.ts';
import type { DemoChain } from '../../demo/chain/demo-chain.ts';
import type { DemoChainKind } from '../../demo/chain/known.ts';
import { type DemoNetworks, networkAssets } from '../../demo/networks.ts';
import type { DemoPi } from '../../demo/pi/demo-pi.ts';
import { type Demo, prepareDemo } from '../../demo/seed.ts';
import { makeSetupLink, type SetupLink } from '../../identity/setup/setup-link.ts';
import { systemClock } from '../../kit/clock.ts';
import { type Database, openDatabase, type Reader, transaction } from '../../kit/db/db.ts';
import { forgetLeases } from '../../kit/db/lease.ts';
import { type Migration, readMigrations } from '../../kit/db/migrate.ts';
import { untilAnswered } from '../../kit/db/until-answered.ts';
import type { Seal } from '../../kit/seal.ts';
import { asOwner, migrateFor, openServer, roleWarning, servingRole } from '../../operations/database.ts';
import type { Restorer } from '../../operations/first-run/restorer.ts';
import { clearUploads } from '../../operations/first-run/uploads.ts';
import { assertAssetsKept } from '../../operations/kept-assets.ts';
import { openSeal } from '../../operations/master-key.ts';
import type { Faucet } from '../../rails/evm/config/chains.ts';
import { forgetWorkers } from '../../webhooks/endpoints/endpoints.ts';
import { createRestorer } from '../restoring/restorer.ts';
import { awaitPart } from './demo-part.ts';
import type { ServeOptions } from './options.ts';
import type { Stops } from './stops.ts';

/** What one process of a gateway prepares for all of them. */
export type Prepared = {
  /** The configuration, including the demo networks. */
  config: Config;
  /** The connection of the serving role. */
  connection: pg.PoolConfig;
  /** The connection of the role that owns the tables, for this process alone. */
  owner: pg.PoolConfig;
  seal: Seal;
  db: Database;
  migrations: Migration[];
  demo: Demo | null;
  faucet: Faucet | undefined;
  /** The link of the first run; null: there is an operator, or this process serves nobody. */
  setupLink: SetupLink | null;
  /** Restores a backup while there is no operator. */
  restorer: Restorer | undefined;
};

export type Surroundings = {
  log: Logger;
  stops: Stops;
  /** Called when something that the gateway needs has ended by itself. */
  onLost: () => void;
  /** Called when a backup was restored: everything that was read before is of another database. */
  onRestored: () => void;
};

// The pool and the listener of a process; the other connections are for commands and for people.
const connectionsPerWorker = 22;
const otherConnections = 40;

/** Starts the embedded database and the demo networks, migrates, and seeds the demo. */
export async function prepare(
  settings: Config,
  { networks, workers, role }: ServeOptions,
  around: Surroundings,
): Promise<Prepared> {
  const { log, stops, onLost, onRestored } = around;
  const answered = <T>(what: string, step: () => Promise<T>) => untilAnswered(log, what, step);
  const server = await openServer(settings, {
    log: (line) => log.info(line),
    onExit: () => {
      log.fatal('the embedded database ended');
      onLost();
    },
    settings:
      workers === null ? {} : { max_connections: `${otherConnections + connectionsPerWorker * workers}` },
  });
  stops.push({ name: 'database', stop: () => server.stop() });
  const migrations = await readMigrations(join(import.meta.dirname, '../..'));
  await answered('bring the tables up to date', () =>
    asOwner(server, (owner) => migrateFor(owner, migrations, servingRole(server))),
  );
  const db = openDatabase(server.serving);
  stops.push({ name: 'connections', stop: () => db.end() });
  if (settings.database.kind === 'external') {
    const warning = await answered('look at the rights of the role that serves', () => roleWarning(db));
    if (warning !== null) log.warn(warning);
  } else {
    await answered('end the leases of the gateway before', async () => {
      await transaction(db, forgetLeases);
      await transaction(db, forgetWorkers);
    });
  }
  const seal = await answered('open the master keys', () => openSeal(db, settings.masterKey));
  // After the database is open: its lock keeps a second gateway from starting the networks too.
  const { config, chain, testChain, pi } = await openNetworks(withoutOwner(settings), networks, around);
  const live = await networkAssets(config);
  const assertServed = (reader: Reader) =>
    assertAssetsKept(reader, [...config.assets.all, ...config.assets.former], live);
  await answered('compare the assets', () => assertServed(db));
  const demo = await answered('prepare the demo', () =>
    prepareDemo({ config, db, seal, chain, testChain, pi, now: systemClock() }),
  );
  if ((chain || pi) && !demo)
    throw new ConfigError([`${chain ? '--chain' : '--pi'} needs the demo, and this database has none`]);
  const setupLink =
    role === 'worker'
      ? null
      : await answered('look for an operator', () =>
          transaction(db, (tx) => makeSetupLink(tx, systemClock())),
        );
  // Pieces of a backup that was sent to a link of before.
  if (role !== 'worker') await clearUploads(settings.dataDir);
  // In the demo a withdrawal needs neither an authenticator app nor an address that has rested.
  const { withdrawalChecks = null } = config;
  const served = { ...config, withdrawalChecks: withdrawalChecks ?? demo === null };
  return {
    config: served,
    connection: server.serving,
    owner: server.owner,
    seal,
    db,
    migrations,
    demo,
    faucet: faucetOf(chain, testChain),
    setupLink,
    restorer: setupLink
      ? createRestorer({
          ...{ migrations, masterKey: settings.masterKey, backups: settings.backups, now: systemClock },
          role: servingRole(server),
          ...{ asOwner: (work) => asOwner(server, work), assertServed, onRestored },
        })
      : undefined,
  };
}

/** The settings without the owner of the database, for worker processes. */
function withoutOwner(settings: Config): Config {
  const { database } = settings;
  return database.kind === 'external' ? { ...settings, database: { ...database, ownerUrl: null } } : settings;
}

/** Starts the requested demo networks and returns the configuration that includes them. */
async function openNetworks(settings: Config, wanted: DemoNetworks, around: Surroundings) {
  const { dataDir, chainPort, piPort, payUrl } = settings;
  let config = settings;
  let chain: DemoChain | null = null;
  let testChain: DemoChain | null = null;
  let pi: DemoPi | null = null;
  // Loads the code of a demo network only when it is wanted.
  if (wanted.chain) {
    const { startDemoChain } = await import('../../demo/chain/demo-chain.ts');
    const { assetsOfDemoChain, withDemoChain } = await import('../../demo/chain/demo-config.ts');
    const { demoChains } = await import('../../demo/chain/known.ts');
    const start = async (kind: DemoChainKind, port: number | null) => {
      const assets = assetsOfDemoChain(settings, kind);
      const started = await startDemoChain({ dataDir, port, assets, kind, log: around.log });
      guard(kind.name, started, around);
      config = withDemoChain(config, started.config, kind);
      return started;
    };
    chain = await start(demoChains.live, chainPort);
    testChain = await start(demoChains.test, null);
  }
  if (wanted.pi) {
    const { startDemoPi, withDemoPi } = await import('../../demo/pi/demo-pi.ts');
    pi = await startDemoPi({
      ...{ dataDir, port: piPort, pageOrigin: new URL(payUrl).origin },
      wait: (part) => awaitPart(part, around.log),
    });
    guard('demo Pi network', pi, around);
    config = withDemoPi(config, pi.config);
  }
  return { config, chain, testChain, pi };
}

/** Gives coins of the demo chains away; undefined where there are none. */
function faucetOf(...chains: (DemoChain | null)[]): Faucet | undefined {
  const running = chains.filter((chain) => chain !== null);
  if (running.length === 0) return undefined;
  return async ({ chainId, address }) => {
    await running.find(({ config }) => config.id === chainId)?.faucet(address);
  };
}

/** Ends a demo network with the gateway, and the gateway when a demo network ends by itself. */
function guard(
  name: string,
  network: { exited: Promise<void>; stop(): Promise<void> },
  { log, stops, onLost }: Surroundings,
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
