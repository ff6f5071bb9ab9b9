import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSeal } from '../../../gateway/src/operations/master-key.ts';
import { databaseUrl } from '../../../gateway/test/support/database.ts';
import { root } from '../../../scripts/programs.ts';
import { type Ends, undo } from '../../stories/tools.ts';
import { type Around, openAround } from './around.ts';
import { openWorldChain, type WorldChain } from './chain.ts';
import { openClock, type WorldClock } from './clock.ts';
import { openWorldDatabase, type WorldDatabase } from './database.ts';
import { openGateway, type WorldGateway } from './gateways.ts';
import { noteRun, serverFolder, worldPrefix } from './leftovers.ts';
import { openLog } from './log.ts';
import { makePeople, usernames } from './merchants.ts';
import { openWorldPi, type WorldPi } from './pi.ts';
import { openReceivers, type Receivers } from './receivers.ts';
import type { Shape, World } from './world.ts';

type Parts = 'gateways' | 'chain' | 'pi' | 'clock';

/** A world with what its breaks reach for. */
export type BreakableWorld = Omit<World, Parts> & {
  gateways: readonly WorldGateway[];
  database: WorldDatabase;
  chain: WorldChain;
  pi: WorldPi;
  around: Around;
  receivers: Receivers;
  clock: WorldClock;
  /** The folder with its settings, and with what its gateways wrote to standard error. */
  folder: string;
  end(): Promise<void>;
};

export type WorldOptions = {
  shape: Shape;
  /** Tree whose gateways play: this one, or a copy with a fault. */
  tree?: string;
  /** Whether the database gets a small disk of its own, which can be filled; for root alone. */
  ownDisk?: boolean;
};

/** Starts a new installation and all that is around it; resolves when its gateways are ready. */
export async function startWorld({
  shape,
  tree = root,
  ownDisk = false,
}: WorldOptions): Promise<BreakableWorld> {
  const ends: Ends = [];
  try {
    return await start({ shape, tree, ownDisk }, ends);
  } catch (error) {
    await undo(ends).catch(() => {});
    throw error;
  }
}

async function start({ shape, tree, ownDisk }: Required<WorldOptions>, ends: Ends): Promise<BreakableWorld> {
  const folder = await mkdtemp(join(tmpdir(), worldPrefix));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  await noteRun(folder);
  const log = openLog();
  const names = shape.gateways === 'two' ? ['gateway-1', 'gateway-2'] : ['gateway-1'];
  const opening = openWorldDatabase(join(folder, serverFolder), ends, { ownDisk });
  const clock = await openClock(join(folder, 'clock'), names, async (ms) =>
    passInDatabase(await opening, ms),
  );
  const [database, chain, pi, around, receivers] = await Promise.all([
    opening,
    openWorldChain(folder, clock, ends),
    openWorldPi(folder, clock, ends),
    openAround({ usernames: shape.wallets === 'backend' ? usernames : null, clock }, ends),
    openReceivers(clock, log, ends),
  ]);
  const { settings, keyFile } = await writeSettings(folder, { chain, pi, around });
  const gateways: WorldGateway[] = [];
  for (const name of names) {
    const options = shape.gateways === 'two' ? [] : ['--workers', '2'];
    const plan = { name, tree, options, settings, clock, socket: database.socket, log };
    gateways.push(await openGateway({ ...plan, logFile: join(folder, `${name}.log`) }, ends));
  }
  const urls = gateways.map(({ url }) => url);
  Object.assign(settings, { BASE_URL: urls[0], ORIGINS: urls.slice(1).join(' ') });
  // The first one brings the tables up to date.
  const [first, ...others] = gateways;
  await first?.start();
  const seal = await openSeal(database.db, keyFile);
  const given = { db: database.db, seal, receivers, now: new Date(clock.now()) };
  const [people] = await Promise.all([
    makePeople(given, { withUsers: shape.wallets === 'embedded' }),
    ...others.map((gateway) => gateway.start()),
  ]);
  const url = databaseUrl({ ...database.connection });
  return {
    ...{ shape, gateways, chain, pi, clock, log, database, around, receivers, folder, ...people },
    wallets: around.backend && { credits: () => creditsOf(around) },
    mails: around.mails,
    settings: { ...settings, DATABASE_URL: url, MIGRATE_DATABASE_URL: url },
    end: () => undo(ends),
  };
}

type Tables = Pick<WorldDatabase, 'db'>;

/** The leases of the gateways run out: the database has a clock of its own, which cannot be set. */
export async function endLeases({ db }: Tables): Promise<void> {
  for (const [table, until] of [
    ['leases', 'held_until'],
    ['webhook_workers', 'until'],
  ])
    await db.query(`UPDATE ${table} SET ${until} = now() - interval '1 second' WHERE ${until} > now()`);
}

/** What time does to that which goes by the clock of the database. */
async function passInDatabase(database: Tables, ms: number): Promise<void> {
  await endLeases(database);
  await database.db.query(
    `UPDATE deliveries SET next_attempt_at = greatest(now(), next_attempt_at - $1 * interval '1 millisecond')
     WHERE status = 'pending' AND next_attempt_at > now()`,
    [ms],
  );
}

function creditsOf({ backend }: Around) {
  return [...(backend?.server.book ?? [])]
    .filter(([, { state }]) => state === 'applied')
    .map(([id, { username, asset, amount, mode }]) => ({ id, username, asset, amount, mode }));
}

type Networks = { chain: WorldChain; pi: WorldPi; around: Around };

/** What all gateways of the world have in common. */
async function writeSettings(folder: string, { chain, pi, around }: Networks) {
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const keyFile = join(folder, 'shared.key');
  await writeFile(keyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  const configFile = join(folder, 'florin.json');
  const defaults = { USDC: 'usdc-bep20', USDT: 'usdt-bep20' };
  await writeFile(configFile, JSON.stringify({ chains: [chain.entry], pi: [pi.entry], defaults }));
  const settings: Record<string, string> = {
    ...{ DATA_DIR: dataDir, MASTER_KEY_FILE: keyFile, CONFIG_FILE: configFile },
    ...{ DEMO: '0', RATE_LIMIT: '0', WALLETS: 'open', WITHDRAWAL_CHECKS: '0', LOG_LEVEL: 'warn' },
    RATES: around.rates.map(({ port }) => `http://127.0.0.1:${port}/`).join(' '),
    SMTP_URL: `smtp://127.0.0.1:${around.mail.port}`,
    ...(around.backend && {
      WALLET_BACKEND_URL: `http://127.0.0.1:${around.backend.relay.port}`,
      WALLET_BACKEND_TOKEN: around.backend.server.token,
    }),
  };
  return { settings, keyFile };
}
