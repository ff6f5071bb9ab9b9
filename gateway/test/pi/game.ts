import type { Keypair } from '@stellar/stellar-sdk';
import { after } from '../../src/kit/clock.ts';
import { createAssets } from '../../src/money/assets.ts';
import { createPi } from '../../src/networks/pi.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import { takeSendReports } from '../../src/payouts/lifecycle/reports.ts';
import type { Horizon } from '../../src/rails/pi/horizon/horizon.ts';
import { createHorizons, type Horizons } from '../../src/rails/pi/horizon/horizons.ts';
import type { PiConfig } from '../../src/rails/pi/horizon/network.ts';
import type { PiBrowser } from '../../src/rails/pi/platform/browser.ts';
import { createPiRail } from '../../src/rails/pi/rail.ts';
import { createPiSending } from '../../src/rails/pi/send/sending.ts';
import { patient } from '../horizon/horizon.ts';
import { type PlatformServer, startPiPlatform } from '../pi-platform/platform.ts';
import type { PiUser } from '../pi-platform/users.ts';
import { liveDeadlineSeconds } from '../schedules/journal.ts';
import { bookArrival, noPayouts, silentLog } from '../support/fixtures.ts';
import { type Mortal, mortal } from '../support/mortal.ts';
import { openShop, type Shop } from '../support/payment-fixtures.ts';
import type { BrittleHorizon } from './horizon.ts';
import type { PiNetwork } from './network.ts';
import { type LedgerStanding, standingInLedger } from './oracle.ts';
import { secretFile } from './send-fixtures.ts';
import type { Part, Setting } from './steps.ts';
import { platformKey, resetWorld, type World } from './world.ts';

/** A payment, what its transfers are marked with, and the number that stands for that. */
export type Paid = { payment: Payment; memo: string; number: bigint };

/** One process of the gateway. */
export type Process = Mortal & {
  /** One round of one of its parts. */
  work(part: Part): Promise<void>;
  browser: PiBrowser;
  end(): Promise<void>;
};

/** What an operator had sent: its memo is its own. */
export type Ordered = { memo: string; units: bigint; paymentId: string | null };

/** A payment inside the Pi Browser. */
export type Dealt = { identifier: string; user: PiUser; paid: Paid };

/** One schedule while it is played. */
export type Game = {
  world: World;
  setting: Setting;
  pi: PiConfig;
  /** Those of the configuration. */
  horizons: BrittleHorizon[];
  custody: Keypair;
  /** Where reading began, and what the account had then; where its balance was first looked at. */
  begin: { token: bigint; units: bigint; known: bigint };
  /** What the ledger held of schedules before this one. */
  before: LedgerStanding;
  shop: Shop;
  paid: Paid[];
  processes: [Process, Process];
  /** The payment that each transaction names by its memo, by its hash. */
  meant: Map<string, string>;
  platform: PlatformServer;
  users: PiUser[];
  deals: Dealt[];
  orders: Ordered[];
  /** The payment that an operator assigned an unmatched deposit to, by the deposit's key. */
  assigned: Map<string, string>;
  /** A clock that never goes back, for patience with Horizons. */
  elapsedMs: number;
};

const custodyUnits = 10n ** 10n;

/** Sets a schedule up with an account of its own, where nothing has been paid. */
export async function openGame(world: World, setting: Setting): Promise<Game> {
  await resetWorld(world);
  const { network, clock, horizons } = world;
  // Ledgers never close earlier than the one before.
  clock.advance(Math.max(0, world.offset.aheadSeconds - setting.aheadSeconds));
  world.offset.aheadSeconds = setting.aheadSeconds;
  const networkNow = () => after(clock.now(), setting.aheadSeconds);
  const used = [horizons[setting.first], horizons[1 - setting.first]!].slice(0, setting.horizons);
  const custody = network.openAccount(custodyUnits);
  const account = custody.publicKey();
  const { passphrase } = network.core;
  const platform = await startPiPlatform({
    ...{ horizonUrl: world.walletHorizon.url, passphrase, now: networkNow },
    app: { name: 'Shop', key: platformKey, account },
  });
  const pi: PiConfig = {
    passphrase,
    horizonUrls: used.map(({ url }) => url),
    account,
    explorer: null,
    platform: {
      url: platform.apiUrl,
      keyFile: world.platformKeyFile,
      sdkUrl: platform.sdkUrl,
      sandbox: false,
    },
    signer: { kind: 'file', keyFile: await secretFile(custody.secret()) },
    walletUrl: setting.isDemo ? 'http://wallet.example' : null,
  };
  const rail = createPiRail({ pi, assets: createAssets(), now: clock.now });
  const shop = await openShop(
    world.db,
    { approved: true, liveDeadlineSeconds },
    { mode: 'live', clock, rail, sendings: [createPiSending(pi, clock.now)] },
  );
  const now = stateOfArrival(network, account);
  const begin = { ...(setting.isDemo ? { token: 0n, units: 0n } : now), known: now.token };
  const before = await standingInLedger(world.db);
  const users = network.payers.map((wallet, at) => platform.users.add({ username: `user${at}`, wallet }));
  const game = {
    ...{ world, setting, pi, horizons: used, custody, begin, before, shop, platform, users },
    ...{ paid: [], meant: new Map(), deals: [], orders: [], assigned: new Map() },
    elapsedMs: 0,
  } as Omit<Game, 'processes'> as Game;
  game.processes = [startProcess(game), startProcess(game)];
  await game.processes[0].work('pi');
  return game;
}

/** Ends what a schedule has started. */
export async function closeGame({ processes, platform }: Game): Promise<void> {
  for (const process of processes) await process.end();
  await platform.stop();
}

function stateOfArrival({ core }: PiNetwork, account: string): Omit<Game['begin'], 'known'> {
  const { token } = core.history.of(account)!.operations.at(-1)!;
  return { token, units: core.accounts.get(account)!.units };
}

/** A new process; whatever was there before it is only in the database. */
export function startProcess(game: Game): Process {
  const { pi, shop, world } = game;
  const body = mortal(world.db);
  const nowMs = () => game.elapsedMs;
  const horizons = countedBy(body, createHorizons({ pi, nowMs, ...patient }));
  const { loops, browser, disconnect } = createPi({
    ...shop.deps,
    ...{ db: body.db, pi, horizons, nowMs, log: silentLog, count: () => {} },
    bookArrival,
    sends: { ...noPayouts, take: (tx, reports) => takeSendReports(tx, shop.deps, reports) },
  });
  return {
    ...body,
    work: async (part) => await loops.find(({ name }) => name === part)!.work(),
    browser: browser!,
    async end() {
      await disconnect();
      await horizons.close();
    },
  };
}

/** Horizons each of whose answers is an exchange of the process. */
function countedBy({ step }: Mortal, horizons: Horizons): Horizons {
  const counted = (horizon: Horizon): Horizon => ({
    ...horizon,
    get: (path) => step(() => horizon.get(path)),
    submit: (envelope) => step(() => horizon.submit(envelope)),
  });
  return { ...horizons, use: (work, options) => horizons.use((horizon) => work(counted(horizon)), options) };
}

/** A payment as a merchant makes it, with what its transfers are to be marked with. */
export async function createPaid({ shop, world }: Game, amount: number): Promise<Paid> {
  const payment = await shop.create({ amount, currency: 'PI' });
  const { rows } = await world.db.query<{ memo: string; number: bigint }>(
    "SELECT memo, number FROM pi_memos WHERE owner_id = $1 AND kind = 'transfer'",
    [payment.id],
  );
  return { payment, ...rows[0]! };
}
