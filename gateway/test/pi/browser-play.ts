import fc from 'fast-check';
import type { Payment } from '../../src/payments/payment/payment.ts';
import { expireDue } from '../../src/payments/settlement/expire.ts';
import { memoOfOwner } from '../../src/rails/pi/memos/memos.ts';
import { recoverDue } from '../../src/rails/pi/platform/recover.ts';
import { Refusal } from '../pi-platform/refusal.ts';
import type { PiUser } from '../pi-platform/users.ts';
import { expireLeases } from '../support/database.ts';
import { mortal } from '../support/mortal.ts';
import { asked, coin, type PiProcess, type PiWorld } from './browser-world.ts';

// What may happen to customers in the Pi Browser, the platform and the gateway, for fast-check to make up.

const calls = ['approve', 'complete', 'cancel', 'incomplete'] as const;
const lost = ['cut', 'cut after', 'error', 'error after', 'busy', 'record'] as const;

/** `of` counts what there is of its kind, from the last one back, round and round. */
export type Act =
  | { do: 'press' | 'give up' | 'by transfer'; of: number }
  /** What comes next where all goes well: the SDK asks for approval, its user signs, the SDK asks for completion. */
  | { do: 'go on'; of: number }
  | { do: 'callback'; call: (typeof calls)[number]; of: number; times: number }
  /** Somebody pays by hand with the identifier as memo: just what is due, or something else. */
  | { do: 'by hand'; of: number; isExact: boolean }
  | { do: 'read' | 'recover' | 'expire' }
  | { do: 'wait'; seconds: number }
  | { do: 'platform fault'; what: (typeof lost)[number] }
  | { do: 'network fault'; what: 'stale' | 'reset' | 'timeout' };

/** The process that serves may end at its `at`-th exchange. */
export type Step = { act: Act; process: number; dies: { at: number; isAfter: boolean } | null };

const of = fc.nat({ max: 5 });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('press'), of }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constant('go on'), of }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('give up', 'by transfer'), of }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('callback'),
      call: fc.constantFrom(...calls),
      of,
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('by hand'), of, isExact: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('read', 'recover', 'expire') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait'),
      seconds: fc.constantFrom(1, 15, 15, 70, 70, 200, 3_700),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('platform fault'), what: fc.constantFrom(...lost) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('network fault'),
      what: fc.constantFrom('stale', 'reset', 'timeout'),
    }),
  },
);
const dies = fc.record({ at: fc.integer({ min: 1, max: 25 }), isAfter: fc.boolean() });
const step: fc.Arbitrary<Step> = fc.record({
  act,
  process: fc.nat({ max: 1 }),
  dies: fc.option(dies, { freq: 6 }),
});

export const schedules = fc.array(step, { minLength: 25, maxLength: 70, size: 'max' });

type Attempt = { payment: Payment; user: PiUser; identifier: string };
export type Game = {
  world: PiWorld;
  processes: PiProcess[];
  payments: Payment[];
  users: PiUser[];
  attempts: Attempt[];
};

export async function openGame(world: PiWorld, processes: PiProcess[]): Promise<Game> {
  const payments = [await world.order(), await world.order(3), await world.order(7.0000001)];
  return { world, processes, payments, users: [world.user(), world.user(), world.user()], attempts: [] };
}

/** One step of a schedule; what the platform refuses its user is no fault. */
export async function play(game: Game, { act, process, dies }: Step): Promise<void> {
  const { world } = game;
  await expireLeases(world.shop.db);
  const server = game.processes[process]!;
  if (!dies) return await perform(game, server, act).catch(refused);
  const life = mortal(world.shop.db);
  life.interrupt(dies.at, false, async () => (dies.isAfter ? 'dies after' : 'dies'));
  const doomed = world.processOn(life.db, life.step);
  await perform(game, doomed, act).catch((error) => {
    if (!life.isDead()) refused(error);
  });
  await doomed.gateway.disconnect();
}

function refused(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

async function perform(game: Game, server: PiProcess, act: Act): Promise<void> {
  const { world, payments, users, attempts } = game;
  const { pi, horizon, shop, config } = world;
  switch (act.do) {
    case 'press': {
      const payment = payments[act.of % payments.length]!;
      const user = users[act.of % users.length]!;
      const { identifier } = await world.begin(user, payment);
      attempts.push({ payment, user, identifier });
      return;
    }
    case 'by transfer': {
      const payment = payments[act.of % payments.length]!;
      const memo = (await memoOfOwner(shop.db, payment.id))!;
      horizon.pay({ from: users[0]!.wallet, to: config.account, amount: coin, memo });
      return;
    }
    case 'read':
      return await server.read();
    case 'recover':
      return await recoverDue(server.flow);
    case 'expire':
      await expireDue(shop.db, shop.deps);
      return;
    case 'wait':
      return shop.clock.advance(act.seconds);
    case 'platform fault':
      return pi.faults.add(platformFaults[act.what]);
    case 'network fault':
      horizon.faults.add(networkFaults[act.what]);
      return;
    default:
      if (attempts.length > 0)
        await performOn(game, server, act, attempts.at(-1 - (act.of % attempts.length))!);
  }
}

async function performOn(
  { world, users }: Game,
  { browser }: PiProcess,
  act: Act,
  { payment, user, identifier }: Attempt,
): Promise<void> {
  const { pi, horizon, config } = world;
  if (act.do === 'give up') pi.userSide.cancel(user, identifier);
  if (act.do === 'by hand') {
    const amount = act.isExact ? payment.amountDue! : 3n;
    horizon.pay({ from: users[1]!.wallet, to: config.account, amount, memo: identifier });
  }
  const { status, transaction } = pi.payment(identifier)!;
  const calls = {
    approve: () => browser.approve(asked(payment), identifier),
    // The SDK asks for it when there is something to complete, and not before.
    complete: async () =>
      transaction && (await browser.complete(asked(payment), identifier, transaction.txid)),
    cancel: () => browser.cancel(asked(payment), identifier),
    incomplete: () => browser.incomplete(identifier),
    sign: () => pi.userSide.submit(user, identifier),
  };
  if (act.do === 'go on') {
    await calls[transaction ? 'complete' : status.developer_approved ? 'sign' : 'approve']();
  }
  if (act.do !== 'callback') return;
  const results = await Promise.allSettled(Array.from({ length: act.times }, () => calls[act.call]()));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

const changing = /POST .*(?:approve|complete|cancel)$/;
const platformFaults = {
  cut: { on: changing, cut: true },
  'cut after': { on: changing, afterEffect: true, cut: true },
  error: { on: changing, status: 500 },
  'error after': { on: changing, afterEffect: true, status: 502 },
  busy: { on: changing, status: 429 },
  record: { on: /GET .*payments/, status: 503, times: 2 },
} as const;

const path = /transactions|payments/;
const networkFaults = {
  stale: { kind: 'stale', ledgers: 2, method: 'GET', path, times: 2 },
  reset: { kind: 'reset', method: 'GET', path },
  timeout: { kind: 'timeout', method: 'GET', path },
} as const;

/** Nothing goes wrong any more, and all that is due is done. */
export async function settleDown({ world }: Game): Promise<void> {
  const { pi, horizon, shop } = world;
  pi.faults.clear();
  horizon.faults.clear();
  // A process of its own: the others leave a Horizon that failed alone for a while.
  const process = world.processOn(shop.db);
  for (let round = 0; round < 6; round++) {
    await expireLeases(shop.db);
    await process.read();
    await recoverDue(process.flow);
    await expireDue(shop.db, shop.deps);
    shop.clock.advance(4_000);
  }
  await process.gateway.disconnect();
}
