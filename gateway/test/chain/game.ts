import { type Logger, pino } from 'pino';
import type { Tx } from '../../src/kit/db/db.ts';
import { createAssets } from '../../src/money/assets.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import { recordTransfers } from '../../src/payments/settlement/observe.ts';
import { isOfCurrency } from '../../src/payments/settlement/received.ts';
import { bookSweep } from '../../src/payments/settlement/treasury.ts';
import type { ChainConfig, Hex } from '../../src/rails/evm/config/chains.ts';
import { createEvmRail } from '../../src/rails/evm/rail.ts';
import { createEndpoints, type Endpoint, type Endpoints } from '../../src/rails/evm/rpc/endpoints.ts';
import { createScanner, type Scanner } from '../../src/rails/evm/scan/scanner.ts';
import { createSweeper, type Sweeper } from '../../src/rails/evm/sweep/sweeper.ts';
import type { Observation } from '../../src/rails/rail.ts';
import type { TakeReports } from '../../src/rails/report.ts';
import { noteEntry } from '../schedules/journal.ts';
import { testClock } from '../support/fixtures.ts';
import { Killed, type Mortal, mortal } from '../support/mortal.ts';
import { openShop, type Shop } from '../support/payment-fixtures.ts';
import type { ChainLog, ChainView } from './driver.ts';
import type { BrittleEndpoint } from './endpoint.ts';
import type { Setting } from './steps.ts';
import { resetWorld, type World } from './world.ts';

/** A payment and the address that was made for it. */
export type Paid = { payment: Payment; address: Hex };

/** One process that scans and sweeps. */
export type Process = Mortal & { scanner: Scanner; sweeper: Sweeper };

/** The chain as it stood from a time in milliseconds on. */
export type Stand = ChainView & { at: number };

/** One schedule while it is played. */
export type Game = {
  world: World;
  setting: Setting;
  chain: ChainConfig;
  shop: Shop;
  paid: Paid[];
  processes: [Process, Process];
  /** How the chain stood at any time: what was final may be reported after it no longer is. */
  views: Stand[];
  /** Every transfer to a payment that was ever on the chain, by its key. */
  logs: Map<string, SeenLog>;
  /** When each was there for the gateway first, in milliseconds, by its key. */
  firstSeen: Map<string, number>;
  /** What was reported and was not so, and what could not be taken though nobody was killed. */
  lies: string[];
  /** Endpoints that are mended at a time in milliseconds. */
  lapses: { at: number; endpoint: BrittleEndpoint }[];
  /** For a while so few endpoints told the truth that transfers could not be seen. */
  isBlind: boolean;
  /** For a while a liar was the only one that answered. */
  isMisled: boolean;
};

/** A transfer to a payment, as the chain had it. */
export type SeenLog = Pick<ChainLog, 'blockHash' | 'blockTime'> & { moved: string; paymentId: string | null };

/** Sets a schedule up on a world where nothing has happened. */
export async function openGame(world: World, setting: Setting): Promise<Game> {
  await resetWorld(world);
  const { finality, confirmations, aheadSeconds } = setting;
  for (const endpoint of world.endpoints) endpoint.runsAhead(aheadSeconds);
  const rpcUrls = world.endpoints.slice(0, setting.endpoints).map(({ url }) => url);
  const startBlock = world.driver.view().base;
  const chain: ChainConfig = { ...world.config, startBlock, rpcUrls, finality, confirmations };
  // The chain's time and ours are one, and go on from schedule to schedule.
  const clock = testClock(new Date((world.driver.view().headTime + 1) * 1000));
  world.driver.follow(clock.now);
  const rail = createEvmRail({
    ...{ chains: [chain], assets: createAssets(), now: clock.now },
  });
  const shop = await openShop(world.db, { approved: true }, { mode: 'live', clock, rail });
  const game = {
    ...{ world, setting, chain, shop },
    ...{
      paid: [],
      views: [],
      logs: new Map(),
      firstSeen: new Map(),
      lies: [],
      lapses: [],
      isBlind: false,
      isMisled: false,
    },
  } as Omit<Game, 'processes'> as Game;
  game.processes = [startProcess(game), startProcess(game)];
  await showAddresses(game);
  return game;
}

/** Customers are shown addresses from now on: the scan has begun, and the contracts are as they should be. */
async function showAddresses({ world, processes, chain, shop }: Game): Promise<void> {
  await processes[0].scanner.tick();
  await world.db.query('UPDATE evm_chains SET verified_at = $1, verified_assets = $2', [
    shop.clock.now(),
    chain.tokens.map(({ asset }) => asset),
  ]);
}

/** A new process; whatever was there before it is only in the database. */
export function startProcess(game: Game): Process {
  const { chain, shop, world } = game;
  const endpoints = createEndpoints({ chain, nowMs: () => shop.clock.now().getTime() });
  const body = mortal(world.db);
  const log = stallLog(game);
  const counted: Endpoints = {
    ...endpoints,
    use: (work, options) => endpoints.use((endpoint) => work(countedBy(body, endpoint)), options),
  };
  const scanner = createScanner({
    db: body.db,
    chain,
    endpoints: counted,
    take: takeIn(game),
    now: shop.clock.now,
    log,
  });
  const sweeper = createSweeper({
    db: body.db,
    chain,
    endpoints: counted,
    usdOf: () => '1',
    now: shop.clock.now,
    log,
    keyFile: world.gasKeyFile,
  });
  return { ...body, scanner, sweeper };
}

/** Whatever a payment could not take is tried again a while later: nothing but the end of a process is a reason. */
function stallLog({ lies }: Game): Logger {
  const write = (line: string) => {
    const { err, msg } = JSON.parse(line) as { err?: { type: string; message: string }; msg: string };
    if (/could not be taken/.test(msg) && err?.type !== Killed.name) lies.push(`${msg}: ${err?.message}`);
  };
  return pino({ level: 'error' }, { write });
}

/** An endpoint each of whose answers is an exchange of the process. */
function countedBy({ step }: Mortal, endpoint: Endpoint): Endpoint {
  return { ...endpoint, batch: (calls) => step(() => endpoint.batch(calls)) };
}

/** Takes reports as the gateway does, and notes them for the oracle. */
function takeIn(game: Game): TakeReports {
  const { shop } = game;
  return async (tx, batch) => {
    const transfers = batch.filter((report) => report.kind === 'transfer');
    // First: what they bring about is noted after them.
    for (const { seen, at } of transfers) await noteTransfer(game, tx, seen, at);
    await recordTransfers(tx, shop.deps, transfers);
    for (const report of batch) {
      if (report.kind === 'sweep') await bookSweep(tx, report.sweep, { mode: 'live', now: shop.clock.now() });
    }
  };
}

async function noteTransfer(game: Game, tx: Tx, seen: Observation, at: Date): Promise<void> {
  const { shop, paid, logs, lies, isMisled } = game;
  const { payment } = paid.find((each) => each.payment.id === seen.paymentId)!;
  const { key, asset, state, units } = seen;
  const micro = 10n ** BigInt(shop.assets.get(asset).scale - 6);
  // Dust is more than nothing, and never adds up to a millionth.
  const micros = Number(units / micro) + Number(units % micro) * 1e-7;
  const pays = isOfCurrency(shop.assets, payment, seen);
  noteSight(game, key);
  if (!isMisled) lies.push(...untrueOf(game, seen));
  const came = logs.has(key) ? cameAt(game, key) : null;
  const takenAt = came === null ? at : new Date(came);
  await noteEntry(tx, payment.id, {
    what: 'transfer',
    at,
    takenAt,
    seen: { key, asset, state },
    micros,
    pays,
  });
}

function noteSight({ firstSeen, shop }: Game, key: string): void {
  if (!firstSeen.has(key)) firstSeen.set(key, shop.clock.now().getTime());
}

/** Notes which transfers are there for the gateway by now, though it may have reported none of them. */
export async function noteSights(game: Game): Promise<void> {
  const { rows } = await game.world.db.query<{ key: string }>(
    `SELECT chain_id || ':' || block_hash || ':' || log_index AS key FROM evm_transfers WHERE kind = 'deposit'`,
  );
  for (const { key } of rows) noteSight(game, key);
}

/** When a transfer that was ever on the chain came, in milliseconds: by the chain's clock, or when it was seen first. */
export function cameAt({ logs, firstSeen }: Game, key: string): number {
  const takenAt = (logs.get(key)?.blockTime ?? Number.POSITIVE_INFINITY) * 1000;
  return Math.min(takenAt, firstSeen.get(key) ?? takenAt);
}

/**
 * Nothing may be called final that is not on the chain, or not deep enough in it, and nothing gone that never left
 * the chain.
 */
function untrueOf(game: Game, { key, state, units, asset, paymentId, takenAt }: Observation): string[] {
  const { views, logs, setting } = game;
  const [, blockHash] = key.split(':') as [string, Hex];
  const log = logs.get(key);
  if (state === 'gone') {
    const first = views.findIndex(({ hashes }) => hashes.includes(blockHash));
    const hasLeft = views.slice(first).some(({ hashes }) => !hashes.includes(blockHash));
    return log && !hasLeft && !game.isBlind ? [`${key} is not gone`] : [];
  }
  if (state === 'seen') return [];
  const moved = `${units} ${asset}`;
  const untrue: string[] = [];
  if (log && takenAt && takenAt.getTime() !== cameAt(game, key)) {
    untrue.push(
      `${key} came at ${new Date(cameAt(game, key)).toISOString()}, and not at ${takenAt.toISOString()}`,
    );
  }
  if (log?.moved !== moved || log.paymentId !== paymentId) {
    untrue.push(`${key} final: ${moved} to ${paymentId}, and not ${log?.moved} to ${log?.paymentId}`);
  }
  if (!views.some((view) => isFinal(view, setting, blockHash))) untrue.push(`${key} is not final`);
  return untrue;
}

/** The number of the last block that is final by the operator's setting. */
export function finalNumber({ head }: ChainView, { finality, confirmations }: Setting): number {
  // A local chain with epochs of one block calls the second before the last one final.
  return finality === 'finalized' ? head - 2 : head - confirmations + 1;
}

function isFinal(view: ChainView, setting: Setting, blockHash: Hex): boolean {
  const at = view.hashes.indexOf(blockHash);
  return at >= 0 && view.base + at <= finalNumber(view, setting);
}
