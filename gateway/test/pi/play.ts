import type { Keypair } from '@stellar/stellar-sdk';
import { expect } from 'vitest';
import { cancel, expire, spendAll } from '../schedules/acts.ts';
import { endTrouble, isTrouble, makeTrouble } from '../schedules/trouble.ts';
import { expireLeases } from '../support/database.ts';
import { Killed, type Outcome } from '../support/mortal.ts';
import { breakPlatform, playDeal } from './deals.ts';
import { decideDeposit, refundPayment, sendRefund } from './desk.ts';
import { pay } from './driver.ts';
import { createPaid, type Game, type Process, startProcess } from './game.ts';
import { depositOrder, namedBy, withdrawalOrder } from './orders.ts';
import type { Deposit, Disturbance, Step, Who, Withdrawal } from './steps.ts';

/** Between two steps: no two things happen at once, and whatever looks now and then looks again. */
const stepSeconds = 16;
const stepMs = 16_000;

/** Makes one thing happen. */
export async function play(game: Game, step: Step): Promise<void> {
  const { world, shop } = game;
  shop.clock.advance(stepSeconds);
  game.elapsedMs += stepMs;
  switch (step.do) {
    case 'create':
      return void game.paid.push(await createPaid(game, step.amount));
    case 'ledger':
      for (const transaction of step.transactions) submit(game, transaction);
      return void world.network.core.close();
    case 'ledgers':
      for (let left = step.count; left > 0; left--) world.network.core.close();
      return;
    case 'work':
      return await round(game, step.who, step.disturbance, ({ work }) => work(step.part));
    case 'race':
      await endLease(game);
      return void (await Promise.all([0, 1].map((who) => round(game, who as Who, null, workOnAll))));
    case 'deal':
      return await round(game, step.who, step.disturbance, (process) => playDeal(game, process, step));
    case 'break platform':
      return breakPlatform(game, step.fault, step.times);
    case 'decide':
      return await decideDeposit(game, step);
    case 'refund payment':
      return await refundPayment(game, step.payment);
    case 'refund':
      return await sendRefund(game, step.refund, step.to);
    case 'restart':
      return await restart(game, step.who);
    case 'break':
      return game.horizons[step.horizon % game.horizons.length]!.breaks(step.fault, step.of, step.times);
    case 'mend':
      return await mend(game);
    case 'trouble':
      return await makeTrouble(world.db, game.paid[step.payment % game.paid.length]!.payment.id);
    case 'wait':
      return shop.clock.advance(step.seconds);
    case 'cancel':
      return await cancel(game, step);
    case 'expire':
      return await expire(game);
    case 'spend':
      return await spendAll(game);
  }
}

/** Hands in a transaction, and notes which payment it means. */
function submit(game: Game, transaction: Deposit | Withdrawal): void {
  const { network } = game.world;
  if (transaction.do === 'withdraw') {
    const { source, ...order } = withdrawalOrder(game, transaction);
    network.send(source, order);
    return;
  }
  const payer: Keypair = network.payers[transaction.payer % network.payers.length]!;
  const hash = network.send(payer, depositOrder(game, transaction));
  const named = namedBy(transaction, game.paid);
  if (named) game.meant.set(hash, named.payment.id);
}

async function mend({ world, platform }: Game): Promise<void> {
  await endTrouble(world.db);
  for (const horizon of world.horizons) horizon.mend();
  platform.faults.clear();
}

export async function workOnAll({ work }: Process): Promise<void> {
  for (const part of ['pi', 'pi platform', 'pi sending'] as const) await work(part);
}

/** One round of a process, in the middle of which something may happen. */
export async function round(
  game: Game,
  who: Who,
  disturbance: Disturbance | null,
  work: (process: Process) => Promise<void>,
): Promise<void> {
  const process = game.processes[who];
  const happened = disturbance ? disturb(game, who, disturbance) : null;
  try {
    await work(process);
  } catch (error) {
    // A process that was killed answers for nothing.
    if (!(process.isDead() && error instanceof Killed) && !isTrouble(error)) throw error;
  }
  process.calm();
  // A process may be done before everything that it asked has answered.
  await happened?.();
  if (process.isDead()) await restart(game, who);
}

/** Has something happen to a process. Returns what waits until that is over, if it has begun. */
function disturb(game: Game, who: Who, { at, what }: Disturbance): () => Promise<unknown> {
  const happenings: Record<Disturbance['what'], () => Promise<Outcome>> = {
    killed: async () => 'dies',
    'killed after': async () => 'dies after',
    ledger: async () => {
      if (game.paid.length > 0) submit(game, anyDeposit);
      game.world.network.core.close();
      return 'lives';
    },
    overtaken: async () => {
      await endLease(game);
      await round(game, who === 0 ? 1 : 0, null, ({ work }) => work('pi'));
      return 'lives';
    },
  };
  let happening: Promise<Outcome> | null = null;
  game.processes[who].interrupt(at + 1, what === 'overtaken', () => {
    happening = happenings[what]();
    return happening;
  });
  return async () => await happening;
}

const anyDeposit: Deposit = {
  ...{ do: 'deposit', payer: 3, payment: 0, marking: 'memo', fails: false },
  operations: [{ op: 'payment', share: { thousandths: 1, dust: 1 } }],
};

/** A new process takes the place of one that ended without a word, once its lease has run out. */
async function restart(game: Game, who: Who): Promise<void> {
  await game.processes[who].end();
  game.processes[who] = startProcess(game);
  await endLease(game);
}

/** The database's own clock stands for the time that passes until a lease runs out. */
async function endLease({ world }: Game): Promise<void> {
  await expireLeases(world.db);
}

const ledgerSeconds = 5;
const roundsAtMost = 60;
/** Longer than a Horizon rests, and than anything waits that failed. */
const patienceSeconds = 3_700;

const plenty = 10n ** 11n;

/** Mends everything and lets the gateway come to its end. */
export async function settleDown(game: Game): Promise<void> {
  await mend(game);
  const { network } = game.world;
  // So that what was ordered can be sent, as an operator would see to it.
  network.send(network.payers[0]!, { operations: [pay(game.custody.publicKey(), plenty)] });
  network.core.close();
  await restart(game, 0);
  for (let count = 1; ; count++) {
    game.elapsedMs += patienceSeconds * 1000;
    game.shop.clock.advance(patienceSeconds);
    // A network without a new ledger is one that stands still.
    network.core.close();
    await round(game, 0, null, workOnAll);
    // What was handed in comes into the next one, before its time is over.
    game.shop.clock.advance(ledgerSeconds);
    network.core.close();
    await expire(game);
    const left = await leftToDo(game);
    if (left === null) return;
    expect(count, left).toBeLessThan(roundsAtMost);
  }
}

/** What is still to be read, to be told, to be sent, to be asked about or to be judged. */
async function leftToDo({ world, custody }: Game): Promise<string | null> {
  const { history, accounts } = world.network.core;
  const last = history.of(custody.publicKey())!.payments.at(-1)!.token;
  const { rows } = await world.db.query<{ left: string | null }>(
    `SELECT CASE
       WHEN cursor IS DISTINCT FROM $1 THEN format('to read up to %s after %s', $1, cursor)
       WHEN difference IS NOT NULL OR agreed_ledger IS DISTINCT FROM $2 THEN 'to come to the balance'
       WHEN EXISTS (SELECT FROM pi_records WHERE reported_state IS DISTINCT FROM state) THEN 'to report'
       WHEN EXISTS (SELECT FROM pi_platform_payments WHERE next_check_at IS NOT NULL) THEN 'to settle'
       WHEN EXISTS (SELECT FROM pi_sends WHERE ended_at IS NULL) THEN 'to send'
       WHEN EXISTS (SELECT FROM payments WHERE unread_since IS NOT NULL) THEN 'to judge' END AS left
     FROM pi_accounts`,
    [last, accounts.get(custody.publicKey())!.changedIn],
  );
  return rows[0] ? rows[0].left : 'to begin';
}
