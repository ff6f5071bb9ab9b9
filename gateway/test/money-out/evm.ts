import { randomBytes } from 'node:crypto';
import { LeaseLost } from '../../src/kit/db/lease.ts';
import { createAssets, currencyScale } from '../../src/money/assets.ts';
import { rescale } from '../../src/money/money.ts';
import { createTakeReports } from '../../src/networks/take-reports.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import { takeSendReports } from '../../src/payouts/lifecycle/reports.ts';
import { payoutStop } from '../../src/payouts/rules/stop.ts';
import { forwarderAddress } from '../../src/rails/evm/addresses/forwarders.ts';
import type { ChainConfig, Hex } from '../../src/rails/evm/config/chains.ts';
import { createPayoutSender } from '../../src/rails/evm/payouts/sender.ts';
import { createEvmSending } from '../../src/rails/evm/payouts/sending.ts';
import { createEvmRail } from '../../src/rails/evm/rail.ts';
import { createEndpoints, type Endpoints } from '../../src/rails/evm/rpc/endpoints.ts';
import { RpcFault } from '../../src/rails/evm/rpc/rpc-fault.ts';
import { createScanner } from '../../src/rails/evm/scan/scanner.ts';
import { readGasKey } from '../../src/rails/evm/send/key.ts';
import { createSweeper } from '../../src/rails/evm/sweep/sweeper.ts';
import { treasury } from '../chain/chain.ts';
import { type Brittle, breakOne, cut, lapse, mendAll } from '../chain/faults.ts';
import { bookArrival, silentLog, testClock } from '../support/fixtures.ts';
import { mortal } from '../support/mortal.ts';
import { openShop, type Shop } from '../support/payment-fixtures.ts';
import { createEvmDesk, type EvmDesk } from './evm-desk.ts';
import { toldOtherwise } from './evm-endings.ts';
import { evmExplained, evmHeld, evmLeft, evmPaidTo } from './evm-oracle.ts';
import type { EvmSetting, EvmStep } from './evm-steps.ts';
import type { EvmWorld } from './evm-world.ts';
import { faultLog } from './fault-log.ts';
import { type Process, receiverKey, type Stage } from './stage.ts';
import type { Part } from './steps.ts';

/** One schedule on a chain. */
export type EvmGame = Brittle & {
  world: EvmWorld;
  setting: EvmSetting & { isBelieved: false };
  shop: Shop;
  chain: ChainConfig;
  desk: EvmDesk;
  /** Where deposits are swept to. */
  swept: Hex;
  /** The first block of the schedule, and the highest that the chain ever had. */
  base: number;
  highest: number;
  /** Every destination that was given out. */
  receivers: Set<string>;
};

/** Of so many destinations one is the address of a payment: what is paid out there comes in again. */
const ownEvery = 7;

/** Sets a schedule up on a world where nothing has happened. */
export async function openEvmStage(world: EvmWorld, setting: EvmSetting): Promise<Stage<EvmStep>> {
  await world.clean();
  const { driver, vault } = world;
  await driver.begin();
  const { base, headTime } = driver.view();
  const clock = testClock(new Date((headTime + 1) * 1000));
  driver.follow(clock.now);
  for (const endpoint of world.endpoints) endpoint.runsAhead(setting.aheadSeconds);
  const swept = setting.intoVault ? vault : treasury;
  const chain: ChainConfig = {
    ...world.config,
    ...{ startBlock: base, finality: setting.finality, confirmations: setting.confirmations },
    rpcUrls: world.endpoints.slice(0, setting.endpoints).map(({ url }) => url),
    receiving: { kind: 'forwarder', treasury: swept },
  };
  const rail = createEvmRail({ chains: [chain], assets: createAssets(), now: clock.now });
  const sendings = chain.vault ? [createEvmSending(chain, chain.vault, clock.now)] : [];
  const shop = await openShop(world.db, { approved: true }, { mode: 'live', clock, rail, sendings });
  const game: EvmGame = {
    ...{ world, shop, chain, swept, base, highest: base, paid: [], receivers: new Set() },
    setting: { ...setting, isBelieved: false },
    ...{ lapses: [], isBlind: false, isMisled: false },
    desk: createEvmDesk(world, swept),
  };
  await game.desk.provide();
  const stage = stageOf(game);
  stage.processes = [stage.startProcess(), stage.startProcess()];
  await stage.processes[0].work('read');
  await world.db.query('UPDATE evm_chains SET verified_at = $1, verified_assets = $2', [
    clock.now(),
    chain.tokens.map(({ asset }) => asset),
  ]);
  return stage;
}

function stageOf(game: EvmGame): Stage<EvmStep> {
  const { world, shop, chain, desk, swept } = game;
  const { driver } = world;
  const paid: { address: Hex }[] = [];
  game.paid = paid;
  const assets = chain.tokens.map(({ asset }) => asset);
  const endpoints = createEndpoints({ chain, nowMs: () => shop.clock.now().getTime() });

  async function pass(seconds: number): Promise<void> {
    lapse(game, shop.clock.now().getTime() + seconds * 1000);
    shop.clock.advance(seconds);
  }
  /** No block is of the future: many at once take their time. */
  async function learn(): Promise<void> {
    const { head, headTime } = driver.view();
    game.highest = Math.max(game.highest, head);
    const ahead = headTime - Math.floor(shop.clock.now().getTime() / 1000);
    if (ahead > 0) await pass(ahead);
  }

  const stage: Stage<EvmStep> = {
    ...{ db: world.db, shop, assets, payments: [], pass },
    processes: [] as unknown as Stage<EvmStep>['processes'],
    deeds: { ended: new Set(), refused: new Set(), faults: [] },
    startProcess: () => startProcess(game, stage.deeds.faults),
    async create(at) {
      const asset = shop.assets.get(assets[at % assets.length] ?? '');
      const payment = await shop.create({ amount: 10, currency: asset.currency });
      paid.push({ address: forwarderAddress(swept, payment.id) });
      return payment;
    },
    async pay(payment, payer, thousandths) {
      await driver.block([depositOf(game, payment, payer, thousandths)]);
      await learn();
    },
    receiver() {
      const own = game.receivers.size % ownEvery === ownEvery - 1 ? paid.at(-1)?.address : undefined;
      const receiver = { to: own ?? `0x${randomBytes(20).toString('hex')}`, memo: null };
      game.receivers.add(receiverKey(receiver));
      return receiver;
    },
    async play(step) {
      await playOn(game, step, stage.deeds.refused);
      await learn();
    },
    async shake() {
      await driver.reorg(2, ['moved', 'kept', 'dropped']);
      await learn();
    },
    mend: async () => mendAll(game),
    async provide() {
      await desk.provide();
      await learn();
    },
    async goOn() {
      const { head } = driver.view();
      await driver.mine(Math.max(0, game.highest - head) + 6);
      await learn();
    },
    left: () => evmLeft(game),
    idle: async () => {},
    paidTo: () => evmPaidTo(game),
    held: () => evmHeld(game),
    explained: () => evmExplained(game),
    reserves: {
      ...{ db: world.db, assets: shop.assets, chains: [{ chain, endpoints }], pi: null },
      ...{ now: shop.clock.now, log: silentLog },
    },
    async close() {
      for (const process of stage.processes) await process.end();
      await endpoints.close();
    },
  };
  return stage;
}

/** A payment's first asset, from one of two customers. */
function depositOf({ world, swept, shop }: EvmGame, payment: Payment, payer: number, thousandths: number) {
  const asset = payment.currency === 'USDT' ? ('usdt-bep20' as const) : ('usdc-bep20' as const);
  const { scale, currency } = shop.assets.get(asset);
  const due = rescale(payment.amountDue!, currencyScale[currency], scale);
  const units = (due * BigInt(thousandths)) / 1000n;
  const to = forwarderAddress(swept, payment.id);
  return { do: 'transfer' as const, payer: payer % 2, token: world.tokens[asset], to, units };
}

/** A token bars one of the receivers that were given out last. */
async function bar({ receivers, desk, paid }: EvmGame, at: number, refused: Set<string>): Promise<void> {
  const [to] = [...receivers].at(-1 - at)?.split(' ') ?? [];
  // What is paid to an address of a payment is not barred.
  if (to === undefined || paid.some(({ address }) => address === to)) return;
  refused.add(to);
  await desk.bar(to as Hex);
}

async function playOn(game: EvmGame, step: EvmStep, refused: Set<string>): Promise<void> {
  const { world, desk } = game;
  const { driver } = world;
  switch (step.do) {
    case 'mine':
      return await driver.mine(step.blocks);
    case 'reorg':
      return await driver.reorg(step.depth, step.fates);
    case 'rollback':
      return await driver.rollback(step.depth);
    case 'come back':
      return await driver.comeBack();
    case 'vault':
      return await desk.set(step.is);
    case 'gas':
      return await desk.gas(step.is);
    case 'base fee':
      return await desk.baseFee(step.gwei);
    case 'nonce':
      return await desk.useNonce();
    case 'break':
      return breakOne(game, step);
    case 'cut':
      return cut(game);
    case 'bar':
      return await bar(game, step.receiver, refused);
    case 'unbar':
      return await desk.unbar();
    case 'misread':
      for (const endpoint of world.endpoints) endpoint.misreads(toldOtherwise(step.how));
      return;
  }
}

/** A new process; whatever was there before it is only in the database. */
function startProcess(game: EvmGame, faults: string[]): Process {
  const { chain, shop, world } = game;
  const body = mortal(world.db);
  const { now } = shop.clock;
  const pool = createEndpoints({ chain, nowMs: () => now().getTime() });
  const endpoints: Endpoints = {
    ...pool,
    use: (work, options) =>
      pool.use((each) => work({ ...each, batch: (calls) => body.step(() => each.batch(calls)) }), options),
  };
  const take = createTakeReports({
    ...shop.deps,
    ...{ count: () => {}, bookArrival },
    sends: {
      take: (tx, reports) => takeSendReports(tx, shop.deps, reports),
      isStopped: async (reader) => (await payoutStop(reader)) !== null,
    },
  });
  const log = faultLog(faults);
  const deps = { db: body.db, chain, endpoints, take, now, log };
  const scanner = createScanner(deps);
  const sweeper = createSweeper({ ...deps, usdOf: () => '1', keyFile: world.sweeper.file });
  const { vault } = chain;
  if (!vault) throw new Error('The chain of a schedule has a vault');
  const sender = createPayoutSender({
    ...{ ...deps, vault, readKey: () => readGasKey(world.signer.file) },
    isStopped: async (reader) => (await payoutStop(reader)) !== null,
  });
  const rounds: Record<Part, () => Promise<void>> = {
    async read() {
      await scanner.tick();
      await scanner.readAgain();
    },
    async sweep() {
      // That no endpoint answers, or another process has the sender lock, is no fault.
      await sweeper.sweep({ kind: 'all' }).catch((error: unknown) => {
        if (!(error instanceof RpcFault || error instanceof LeaseLost)) throw error;
      });
    },
    send: sender.tick,
  };
  return { ...body, work: (part) => rounds[part](), end: () => pool.close() };
}
