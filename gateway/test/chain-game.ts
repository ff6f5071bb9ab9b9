import { createAssets } from '../src/kit/assets.ts';
import type { Tx } from '../src/kit/db.ts';
import { recordTransfer } from '../src/payments/observe.ts';
import type { Payment } from '../src/payments/payment.ts';
import { isOfCurrency } from '../src/payments/received.ts';
import { bookSweep } from '../src/payments/sweeps.ts';
import type { ChainConfig, Hex } from '../src/rails/evm/chains.ts';
import { createEndpoints, type Endpoint, type Endpoints } from '../src/rails/evm/endpoints.ts';
import { createScanner, type Scanner } from '../src/rails/evm/scanner.ts';
import { createEvmRail } from '../src/rails/evm/service.ts';
import { createSweeper, type Sweeper } from '../src/rails/evm/sweep/sweeper.ts';
import type { Observation } from '../src/rails/rail.ts';
import type { ChainView } from './chain-driver.ts';
import type { Setting } from './chain-schedules.ts';
import { resetWorld, type World } from './chain-world.ts';
import { silentLog, testClock } from './fixtures.ts';
import { type Mortal, mortal } from './mortal.ts';
import { openShop, type Shop } from './payment-fixtures.ts';
import { noteEntry } from './schedule-journal.ts';

/** A payment and the address that was made for it. */
export type Paid = { payment: Payment; address: Hex };

/** One process that scans and sweeps. */
export type Process = Mortal & { scanner: Scanner; sweeper: Sweeper };

/** One schedule while it is played. */
export type Game = {
  world: World;
  setting: Setting;
  chain: ChainConfig;
  shop: Shop;
  paid: Paid[];
  processes: [Process, Process];
  /** A clock that never goes back, for the endpoints' patience. */
  elapsedMs: number;
  /** How the chain stood at any time: what was final may be reported after it no longer is. */
  views: ChainView[];
  /** Every log that was ever on the chain, by its key, with what it moved. */
  logs: Map<string, string>;
  /** What was reported and was not so. */
  lies: string[];
};

/** Sets a schedule up on a world where nothing has happened. */
export async function openGame(world: World, setting: Setting): Promise<Game> {
  await resetWorld(world);
  const { finality, confirmations } = setting;
  const rpcUrls = world.endpoints.slice(0, setting.endpoints).map(({ url }) => url);
  const startBlock = world.driver.view().base;
  const chain: ChainConfig = { ...world.config, startBlock, rpcUrls, finality, confirmations };
  // Time goes on from schedule to schedule, as on every chain.
  const clock = testClock(await world.driver.time());
  world.driver.follow(clock.now);
  const rail = createEvmRail({
    ...{ chains: [chain], assets: createAssets(), now: clock.now },
    lookUp: async () => null,
  });
  const shop = await openShop(world.db, { approved: true }, { mode: 'live', clock, rail });
  const state = { world, setting, chain, shop, paid: [], elapsedMs: 0, views: [], logs: new Map(), lies: [] };
  const game = state as Omit<Game, 'processes'> as Game;
  game.processes = [startProcess(game), startProcess(game)];
  return game;
}

/** A new process; whatever was there before it is only in the database. */
export function startProcess(game: Game): Process {
  const { chain, shop, world } = game;
  const endpoints = createEndpoints({ chain, nowMs: () => game.elapsedMs });
  const body = mortal(world.db);
  const counted: Endpoints = {
    ...endpoints,
    use: (work, options) => endpoints.use((endpoint) => work(countedBy(body, endpoint)), options),
  };
  const scanner = createScanner({
    db: body.db,
    chain,
    endpoints: counted,
    report: (tx, seen, at, assets) => report(game, tx, seen, at, assets),
    reportSweep: (tx, sweep) => bookSweep(tx, sweep, shop.clock.now()),
    now: shop.clock.now,
    log: silentLog,
  });
  const sweeper = createSweeper({
    db: body.db,
    chain,
    endpoints: counted,
    usdOf: () => '1',
    now: shop.clock.now,
    log: silentLog,
    keyFile: world.gasKeyFile,
  });
  return { ...body, scanner, sweeper };
}

/** An endpoint each of whose answers is an exchange of the process. */
function countedBy({ step }: Mortal, endpoint: Endpoint): Endpoint {
  return { ...endpoint, batch: (calls) => step(() => endpoint.batch(calls)) };
}

async function report(
  game: Game,
  tx: Tx,
  seen: Observation,
  at: Date,
  assets: readonly string[],
): Promise<void> {
  const { shop, paid } = game;
  const { payment } = paid.find((each) => each.payment.id === seen.paymentId)!;
  judge(game, seen);
  await recordTransfer(tx, shop.deps, seen, at, { assets });
  const { key, asset, state, units } = seen;
  const micro = 10n ** BigInt(shop.assets.get(asset).scale - 6);
  // Dust is more than nothing, and never adds up to a millionth.
  const micros = Number(units / micro) + Number(units % micro) * 1e-7;
  const pays = isOfCurrency(shop.assets, payment, seen);
  const entry = { what: 'transfer', at, seen: { key, asset, state }, micros, pays } as const;
  await noteEntry(tx, payment.id, entry);
}

/** Nothing may be called final that is not on the chain, or not deep enough in it. */
function judge(
  { views, logs, setting, lies }: Game,
  { key, state, units, asset, paymentId }: Observation,
): void {
  if (state !== 'final') return;
  const moved = `${units} ${asset} to ${paymentId}`;
  if (logs.get(key) !== moved) lies.push(`${key} final: ${moved}, and not ${logs.get(key)}`);
  const [, blockHash] = key.split(':') as [string, Hex];
  if (!views.some((view) => isFinal(view, setting, blockHash))) lies.push(`${key} is not final`);
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
