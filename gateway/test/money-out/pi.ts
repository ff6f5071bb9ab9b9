import { Keypair, Memo } from '@stellar/stellar-sdk';
import { createAssets } from '../../src/money/assets.ts';
import { createPi } from '../../src/networks/pi.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import { takeSendReports } from '../../src/payouts/lifecycle/reports.ts';
import { payoutStop } from '../../src/payouts/rules/stop.ts';
import type { Horizon } from '../../src/rails/pi/horizon/horizon.ts';
import { createHorizons, type Horizons } from '../../src/rails/pi/horizon/horizons.ts';
import type { PiConfig } from '../../src/rails/pi/horizon/network.ts';
import { createPiRail } from '../../src/rails/pi/rail.ts';
import { createPiSending } from '../../src/rails/pi/send/sending.ts';
import { patient } from '../horizon/horizon.ts';
import { pay } from '../pi/driver.ts';
import type { BrittleHorizon } from '../pi/horizon.ts';
import { secretFile } from '../pi/send-fixtures.ts';
import { bookArrival, silentLog } from '../support/fixtures.ts';
import { type Mortal, mortal } from '../support/mortal.ts';
import { openShop, type Shop } from '../support/payment-fixtures.ts';
import { faultLog } from './fault-log.ts';
import { sendBack } from './people.ts';
import { piExplained, piHeld, piLeft, piPaidTo } from './pi-oracle.ts';
import type { PiSetting, PiStep } from './pi-steps.ts';
import type { PiWorld } from './pi-world.ts';
import type { Process, Stage } from './stage.ts';

/** One schedule on the Pi network. */
export type PiGame = {
  world: PiWorld;
  pi: PiConfig;
  /** Those of the configuration. */
  horizons: BrittleHorizon[];
  custody: Keypair;
  /** Where the schedule began, and what the account had then. */
  begin: { token: bigint; units: bigint };
  shop: Shop;
  /** How many destinations were given out. */
  receivers: number;
  /** A clock that never goes back, for patience with Horizons. */
  elapsedMs: number;
};

const custodyUnits = 10n ** 10n;
/** The network keeps a part of every account, and fees are paid out of it. */
const reserve = 10n ** 8n;
const ledgerSeconds = 5;
const plenty = 10n ** 11n;
/** Every so many destinations one has no account on the network. */
const nobodyEvery = 6;

/** Sets a schedule up with an account of its own, where nothing has been paid. */
export async function openPiStage(
  world: PiWorld,
  { horizons: count, first }: PiSetting,
): Promise<Stage<PiStep>> {
  await world.clean();
  const { network, clock } = world;
  const other = first === 0 ? 1 : 0;
  const horizons = [world.horizons[first], world.horizons[other]].slice(0, count);
  const custody = network.openAccount(custodyUnits);
  const account = custody.publicKey();
  const pi: PiConfig = {
    ...{ passphrase: network.core.passphrase, account, explorer: null, platform: null, walletUrl: null },
    horizonUrls: horizons.map(({ url }) => url),
    signer: { kind: 'file', keyFile: await secretFile(custody.secret()) },
  };
  const rail = createPiRail({ pi, assets: createAssets(), now: clock.now });
  const sendings = [createPiSending(pi, clock.now)];
  const shop = await openShop(world.db, { approved: true }, { mode: 'live', clock, rail, sendings });
  const { history, accounts } = network.core;
  const begin = {
    token: history.of(account)?.operations.at(-1)?.token ?? 0n,
    units: accounts.get(account)?.units ?? 0n,
  };
  const game: PiGame = {
    ...{ world, pi, horizons, custody, begin, shop, receivers: 0, elapsedMs: 0 },
  };
  const stage = stageOf(game);
  stage.processes = [stage.startProcess(), stage.startProcess()];
  await stage.processes[0].work('read');
  return stage;
}

function stageOf(game: PiGame): Stage<PiStep> {
  const { world, shop, pi, horizons } = game;
  const { network, clock } = world;
  const { core, payers } = network;
  const payer = (at: number): Keypair => payers[at % payers.length] ?? Keypair.random();

  async function pass(seconds: number): Promise<void> {
    clock.advance(seconds);
    game.elapsedMs += seconds * 1000;
  }

  const stage: Stage<PiStep> = {
    ...{ db: world.db, shop, assets: ['pi'], payments: [], pass },
    processes: [] as unknown as Stage<PiStep>['processes'],
    deeds: { ended: new Set(), refused: new Set(), faults: [] },
    startProcess: () => startProcess(game, stage.deeds.faults),
    create: () => shop.create({ amount: 10, currency: 'PI' }),
    async pay(payment, from, thousandths) {
      const units = (payment.amountDue! * BigInt(thousandths)) / 1000n;
      const memo = Memo.text(await memoOf(game, payment));
      network.send(payer(from), { operations: [pay(pi.account, units)], memo });
    },
    receiver() {
      const number = game.receivers++;
      const isNobody = number % nobodyEvery === nobodyEvery - 1;
      const to = isNobody ? Keypair.random().publicKey() : payer(number).publicKey();
      if (isNobody) stage.deeds.refused.add(to);
      return { to, memo: `out ${number}` };
    },
    async play(step) {
      switch (step.do) {
        case 'ledgers':
          for (let left = step.count; left > 0; left--) core.close();
          return;
        case 'by hand':
          return byHand(game, step.thousandths);
        case 'fee':
          core.baseFee = BigInt(step.stroops);
          return;
        case 'stray':
          return void network.send(payer(step.payer), { operations: [pay(pi.account, BigInt(step.units))] });
        case 'send back':
          return await sendBack(stage, step.deposit);
        case 'break':
          return horizons[step.horizon % horizons.length]?.breaks(step.fault, step.of, step.times);
      }
    },
    shake: async () => void core.close(),
    async mend() {
      for (const horizon of world.horizons) horizon.mend();
    },
    async provide() {
      core.baseFee = 100_000n;
      const isPoor = (core.accounts.get(pi.account)?.units ?? 0n) < plenty / 2n;
      if (isPoor) network.send(payer(0), { operations: [pay(pi.account, plenty)] });
    },
    async goOn() {
      await pass(ledgerSeconds);
      core.close();
    },
    idle: () => stage.goOn(),
    left: () => piLeft(game),
    paidTo: async () => piPaidTo(game),
    held: async () => piHeld(game),
    explained: async () => piExplained(game),
    reserves: {
      ...{ db: world.db, assets: shop.assets, chains: [], pi, now: clock.now, log: silentLog },
    },
    async close() {
      for (const process of stage.processes) await process.end();
    },
  };
  return stage;
}

async function memoOf({ world }: PiGame, { id }: Payment): Promise<string> {
  const { rows } = await world.db.query<{ memo: string }>(
    "SELECT memo FROM pi_memos WHERE owner_id = $1 AND kind = 'transfer'",
    [id],
  );
  return rows[0]?.memo ?? '';
}

/** Somebody else with the key sends; refused where one of ours waits under the same number. */
function byHand(game: PiGame, thousandths: number): void {
  const { world, custody, pi } = game;
  const { core, outsider } = world.network;
  const spare = (core.accounts.get(pi.account)?.units ?? 0n) - reserve;
  const units = (spare * BigInt(thousandths)) / 1000n;
  if (units <= 0n) return;
  try {
    world.network.send(custody, { operations: [pay(outsider.publicKey(), units)] });
  } catch {
    // It is not in the next ledger.
  }
}

/** A new process; whatever was there before it is only in the database. */
function startProcess(game: PiGame, faults: string[]): Process {
  const { pi, shop, world } = game;
  const body = mortal(world.db);
  const nowMs = () => game.elapsedMs;
  const horizons = countedBy(body, createHorizons({ pi, nowMs, ...patient }));
  const { loops, disconnect } = createPi({
    ...shop.deps,
    ...{ db: body.db, pi, horizons, nowMs, log: faultLog(faults), count: () => {}, bookArrival },
    sends: {
      take: (tx, reports) => takeSendReports(tx, shop.deps, reports),
      isStopped: async (reader) => (await payoutStop(reader)) !== null,
    },
  });
  const loopOf = { read: 'pi', sweep: 'pi', send: 'pi sending' } as const;
  return {
    ...body,
    work: async (part) => await loops.find(({ name }) => name === loopOf[part])?.work(),
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
  return { ...horizons, use: (work) => horizons.use((horizon) => work(counted(horizon))) };
}
