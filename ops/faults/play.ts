import { setTimeout as sleep } from 'node:timers/promises';
import { type ChainReader, openChainReader } from './model/chain.ts';
import { arrivalsOf, type Case, creditedOf, judgeAll, judgeSoFar } from './model/judge.ts';
import type { OwnAddress } from './model/own-address.ts';
import { type ReadDeps, readBooks, readWorld } from './model/read.ts';
import { notReleased, type Reading } from './model/reading.ts';
import { notDelivered } from './model/rules/events.ts';
import { sentTooMuch } from './model/rules/sending.ts';
import { openBrowser, openProgram, type Program } from './parties/ask.ts';
import { pay } from './parties/customer.ts';
import { type DeedDeps, doDeed, furnish } from './parties/deeds.ts';
import { openJournal } from './parties/journal.ts';
import { playOrder } from './parties/merchant.ts';
import { openOwner } from './parties/owner.ts';
import { openPiPurses, type PiPurses } from './parties/pi-purse.ts';
import { lightened, type OrderPlan, planOf } from './parties/plan.ts';
import { openPurses, type Purses } from './parties/purse.ts';
import { openWalletUser, type WalletUser } from './parties/wallet-user.ts';
import type { Play, StartPlay, Verdict, World } from './world/world.ts';

/** What outlives a seed in a world. */
type Known = {
  purses: Purses;
  piPurses: PiPurses;
  users: WalletUser[];
  chain: ChainReader;
  addresses: Set<string>;
  endpointSecrets: Map<string, string[]>;
  /** Those of the merchant who settles directly. */
  ownAddresses: OwnAddress[];
  isFurnished: boolean;
};

const known = new WeakMap<World, Known>();

/** In so many seeds one lets the time of all payments pass. */
const endingSeeds = 4;
/** Longer than a payment may be open, and half an hour more. */
const afterDeadlinesMs = 95 * 60_000;
/** Longer than the steps of simulated payments and payouts take, and than the first retry of a webhook waits. */
const stepsMs = 125_000;
/** Longer than a payment waits for a transfer that a reorg took. */
const reorgGraceMs = 32 * 60_000;
/** Longer than another address of the merchant's own rests, and than late money is waited for. */
const restMs = 27 * 3_600_000;
/** Longer than the first, the second and the third sweep of an address waits that failed, or that has just been swept. */
const sweepsMs = [660_000, 1_260_000, 2_460_000];
/** How long a sweep takes that is due. */
const sweepingMs = 10_000;
/** How long the first and the second retry of a webhook wait, and a tenth more. */
const retriesMs = [70_000, 335_000];
const tendMs = 1_000;
/** On a busy machine much is late that is not lost. */
const settleMs = 120_000;
const lookMs = 500;
const booksLooks = 20;

/** Lets parties act in a world as a seed says, and judges what comes of it. */
export const startPlay: StartPlay = async (world, { seed, run: word, pace }) => {
  const run = `${word}-${seed}-`;
  const scene = await openScene(world, run);
  const { deeds, read } = scene;
  const before = await readWorld(read);
  const given = { world, run, journal: scene.journal };
  const whole: Case = { ...given, before: { ...before, credited: creditedOf(world) } };
  const plan = lightened(planOf(seed), pace);
  const late: { reference: string; order: OrderPlan }[] = [];
  const parties = [
    ...plan.orders.map(async (order, n) => {
      const program = programFor(scene.programs, world, order);
      const reference = `${run}${n}`;
      await sleep(order.startMs);
      await playOrder(deeds, program, order, reference);
      if (order.way === 'late' && order.mode === 'live') late.push({ reference, order });
    }),
    ...plan.deeds.map(async (deed, n) => {
      await sleep(deed.startMs);
      await doDeed(deeds, deed, `${run}deed-${n}`);
    }),
    ...(plan.turnMs === null ? [] : [sleep(plan.turnMs).then(deeds.owner.turn)]),
  ];
  const faults: Verdict[] = [];
  const all = Promise.all(
    parties.map((party) =>
      party.catch(
        (error: Error) => void faults.push({ kind: 'wrong', said: `a party ended: ${error.stack}` }),
      ),
    ),
  );
  const tending = setInterval(() => void scene.purses.tend().catch(() => {}), tendMs);
  let last: Reading = before;

  const play: Play = {
    async check() {
      const came = await scene.chain.transfers(read.sinceBlock);
      const { payouts, refunds } = scene.journal;
      const orders = [
        ...payouts.map(({ reference: name, to, amount }) => ({ name, to, amount })),
        ...refunds.map(({ id: name, to, amount }) => ({ name, to: to ?? '', amount })),
      ];
      return [...judgeSoFar(given), ...sentTooMuch(orders, came), ...faults];
    },
    async rest() {
      await all;
    },
    async finish(hadReorg) {
      try {
        await world.clock.pass(hadReorg ? reorgGraceMs : stepsMs);
        await untilFinal(scene.purses, world);
        let end = await untilRight(whole, read);
        if (end.isRight && seed % endingSeeds === 0) {
          await world.clock.pass(afterDeadlinesMs);
          await untilRight(whole, read);
          for (const { reference, order } of late) await payLate(deeds, reference, order);
          await untilFinal(scene.purses, world);
          end = await untilRight(whole, read);
        }
        if (end.isRight && plan.turnMs !== null) {
          await world.clock.pass(restMs);
          end = await untilRight(whole, read);
        }
        last = end.isRight ? await readWithBooks(whole, read) : end.reading;
        return [...judgeAll(whole, last), ...faults];
      } finally {
        clearInterval(tending);
      }
    },
    counts: () => countsOf(whole, last),
  };
  return play;
};

type Scene = {
  journal: Case['journal'];
  purses: Purses;
  programs: Program[];
  chain: ChainReader;
  deeds: DeedDeps;
  read: ReadDeps;
};

async function openScene(world: World, run: string): Promise<Scene> {
  const journal = openJournal();
  const own = known.get(world) ?? openKnown(world);
  known.set(world, own);
  const { purses, piPurses, users, chain, addresses } = own;
  journal.endpointSecrets = own.endpointSecrets;
  const programs = world.merchants.flatMap((merchant) =>
    (['live', 'test'] as const).map((mode) => openProgram(world, journal, merchant, mode)),
  );
  const browse = openBrowser(world, journal, 'customers');
  const owner = openOwner(world, journal, { addresses: own.ownAddresses, purses });
  const deeds = { world, journal, browse, purses, piPurses, programs, users, chain, owner };
  if (!own.isFurnished) {
    for (const address of await furnish(deeds)) addresses.add(address);
    await owner.turn();
    await untilFinal(purses, world);
    await world.clock.pass(restMs);
    own.isFurnished = true;
  }
  const [sinceBlock, sinceMs] = [await chain.head(), world.clock.now()];
  const read = { world, journal, programs, users, chain, owner, sinceBlock, sinceMs, run, addresses };
  return { journal, purses, programs, chain, deeds, read };
}

function openKnown(world: World): Known {
  const journal = openJournal();
  return {
    purses: openPurses(world.chain),
    piPurses: openPiPurses(world.pi),
    users: world.wallets ? [] : world.users.map((user) => openWalletUser(world, journal, user)),
    chain: openChainReader(world.chain),
    addresses: new Set(),
    endpointSecrets: new Map(),
    ownAddresses: [],
    isFurnished: false,
  };
}

function programFor(
  programs: readonly Program[],
  { merchants }: World,
  { merchant, mode }: OrderPlan,
): Program {
  const name = merchants[merchant % merchants.length]?.name;
  const program = programs.find((each) => each.merchant.name === name && each.mode === mode);
  if (!program) throw new Error('The world has no merchants');
  return program;
}

async function payLate(deps: DeedDeps, reference: string, order: OrderPlan): Promise<void> {
  const found = deps.journal.orders.find((each) => each.reference === reference);
  if (found?.pageUrl) await pay(deps, found, order);
}

async function untilFinal(purses: Purses, { chain }: World): Promise<void> {
  const endMs = performance.now() + settleMs;
  while ((await purses.tend()) > 0 && performance.now() < endMs) await chain.grow(chain.finalDepth + 1);
}

/** Reads until nothing is wrong, or it has been long enough. Webhooks that failed are sent again a while later. */
async function untilRight(given: Case, read: ReadDeps): Promise<{ reading: Reading; isRight: boolean }> {
  const endMs = performance.now() + settleMs;
  const retries = [...retriesMs];
  const sweeps = [...sweepsMs];
  let [looks, sweptMs] = [10, -Infinity];
  for (;;) {
    const reading = await readWorld(read);
    const verdicts = judgeAll(given, reading);
    const [first] = verdicts;
    if (first)
      read.world.log.note('model', `${verdicts.length} objections yet, the first one: ${first.said}`);
    // What is there twice stays so, but not all is read at one moment.
    if (verdicts.every(({ kind }) => kind === 'doubled')) looks--;
    if (verdicts.length === 0 || looks === 0 || performance.now() > endMs)
      return { reading, isRight: verdicts.length === 0 };
    const isOnlyLate = verdicts.every(
      ({ said }) => said.endsWith(notDelivered) || said.endsWith(notReleased),
    );
    const isOnTheWay = verdicts.some(({ said }) => said.endsWith(notReleased));
    const isDue = !isOnTheWay || performance.now() > sweptMs + sweepingMs;
    const retryMs = isOnlyLate && isDue ? (isOnTheWay ? sweeps : retries).shift() : undefined;
    if (retryMs !== undefined) await read.world.clock.pass(retryMs);
    if (retryMs !== undefined && isOnTheWay) sweptMs = performance.now();
    await sleep(lookMs);
  }
}

/** Reads all with the books. What is read one after the other may move in between, so it is read again where they differ. */
async function readWithBooks(given: Case, read: ReadDeps): Promise<Reading> {
  for (let looks = 1; ; looks++) {
    const reading = { ...(await readWorld(read)), books: await readBooks(read.world) };
    if (looks === booksLooks || judgeAll(given, reading).length === 0) return reading;
    await sleep(lookMs);
  }
}

function countsOf(
  { world, run, journal }: Case,
  { payments, events, came, direct }: Reading,
): Record<string, number | bigint> {
  const sum = (all: Iterable<readonly unknown[]>): number =>
    [...all].reduce((count, each) => count + each.length, 0);
  return {
    payments: payments.size,
    refunds: journal.refunds.length,
    payouts: journal.payouts.length,
    fundings: journal.fundings.length,
    'direct payments': journal.orders.filter(({ places, ownAsset }) => places.has(ownAsset ?? '')).length,
    'direct moves': direct?.moves.length ?? 0,
    transfers: came.length,
    /** Of six decimals, over all assets. */
    units: came.reduce((units, { fine }) => units + fine / 10n ** 12n, 0n),
    events: sum(events.values()),
    webhooks: sum(arrivalsOf(world, run).values()),
    requests: journal.exchanges.length,
  };
}
