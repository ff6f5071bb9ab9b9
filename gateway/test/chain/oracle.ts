import { expect } from 'vitest';
import { isOfCurrency } from '../../src/payments/settlement/received.ts';
import type { Hex } from '../../src/rails/evm/config/chains.ts';
import { railOf } from '../../src/rails/evm/config/chains.ts';
import { expire } from '../schedules/acts.ts';
import type { Model } from '../schedules/payment-model.ts';
import { auditFindings, paymentById, statusEventsOf } from '../support/payment-fixtures.ts';
import type { ChainLog } from './driver.ts';
import { finalNumber, type Game, type Paid } from './game.ts';
import { play, tick } from './play.ts';
import { stateOfArrival } from './standing.ts';

// What must be true once the faults are over and every block is final, read from the chain itself.

/** A block of which one endpoint showed what no other one has is given up after 60 tries. */
const ticksAtMost = 70;
/** Half as long as the longest that an endpoint rests. */
const patienceSeconds = 30;
/** After this long a block is read again whose transfers were not what they said. */
const recheckSeconds = 3_600;
/** After this long what is final is read a second time. */
const secondReadingSeconds = 180;
/** Until all is read a second time, minutes and an hour later: seconds between two looks. */
const secondReadings = [600, 3_600, 600];
const longestPauseSeconds = 120;
const confirmationsAtMost = 5;

/** Mends everything and lets the gateway come to its end. */
export async function settleDown(game: Game): Promise<void> {
  const { driver } = game.world;
  await play(game, { do: 'mend' });
  // A chain that became shorter is read on where it has grown past its old end.
  const highest = Math.max(...game.views.map(({ head }) => head));
  await play(game, { do: 'mine', blocks: highest - driver.view().head + 8 });
  await play(game, { do: 'restart', who: 0 });
  await tickUntilDone(game);
  for (const seconds of secondReadings) {
    await play(game, { do: 'wait', seconds });
    await tick(game, 0, null);
  }
  await tickUntilDone(game);
  // Time ends nothing before the chain was read past it, and who waits for that is not asked at every moment.
  const behindSeconds = Math.max(0, -game.setting.aheadSeconds);
  await play(game, { do: 'wait', seconds: longestPauseSeconds + behindSeconds });
  await play(game, { do: 'mine', blocks: confirmationsAtMost });
  await tickUntilDone(game);
  await expire(game);
}

async function tickUntilDone(game: Game): Promise<void> {
  for (let count = 1; ; count++) {
    const left = await leftToDo(game);
    if (left === null) break;
    expect(count, left).toBeLessThan(ticksAtMost);
    await play(game, { do: 'wait', seconds: waits.get(left) ?? patienceSeconds });
    await tick(game, 0, null);
  }
}

const waits = new Map([
  ['to read a block again', recheckSeconds],
  ['to read a second time', secondReadingSeconds],
]);

/** What is still to be read, to become final, to be reported, or to be read again. */
async function leftToDo({ world, setting }: Game): Promise<string | null> {
  const view = world.driver.view();
  const { rows } = await world.db.query<{ left: string | null }>(
    `SELECT CASE
       WHEN seen_number IS DISTINCT FROM $1 THEN format('to see up to %s after %s', $1, seen_number)
       WHEN final_number IS DISTINCT FROM $2 THEN format('to book up to %s after %s', $2, final_number)
       WHEN EXISTS (SELECT FROM evm_transfers WHERE unreported) THEN 'to report'
       WHEN EXISTS (SELECT FROM evm_second_readings WHERE round = 1 AND number < $2) THEN 'to read a second time'
       WHEN EXISTS (SELECT FROM evm_rechecks) THEN 'to read a block again' END AS left
     FROM evm_chains`,
    [view.head, finalNumber(view, setting)],
  );
  return rows[0] ? rows[0].left : 'to begin';
}

/** Holds the ledger, the transfers and every payment against the chain. */
export async function checkAgainstChain(game: Game): Promise<void> {
  const { world, paid, lies } = game;
  expect(lies).toEqual([]);
  const logs = await world.driver.transfers();
  for (const each of paid) {
    const { model, wrong } = await stateOfArrival(game, each);
    expect(wrong, wrong.join()).toEqual([]);
    await checkTransfers(game, each, logs);
    await checkStanding(game, each, model);
    await checkMoney(game, each, logs, model);
  }
  expect(await auditFindings(world.db)).toEqual([]);
}

const arrivedAt = (logs: readonly ChainLog[], token: Hex, address: Hex) =>
  logs.filter((log) => log.token === token && log.to === address && log.units > 0n);
const leftFrom = (logs: readonly ChainLog[], token: Hex, address: Hex) =>
  logs.filter((log) => log.token === token && log.from === address && log.units > 0n);
const sum = (logs: readonly ChainLog[]): bigint => logs.reduce((units, log) => units + log.units, 0n);

/** Exactly the transfers that are on the chain are final, and whatever else was seen is gone. */
async function checkTransfers({ world, chain }: Game, { payment, address }: Paid, logs: ChainLog[]) {
  const { rows } = await world.db.query<{ key: string; asset: string; units: bigint; state: string }>(
    'SELECT key, asset, units, state FROM payment_transfers WHERE payment_id = $1',
    [payment.id],
  );
  const expected = chain.tokens.flatMap(({ asset, address: token }) =>
    arrivedAt(logs, token, address).map(({ blockHash, logIndex, units }) => {
      return `${chain.id}:${blockHash}:${logIndex} ${units} ${asset}`;
    }),
  );
  const standing = rows.filter(({ state }) => state !== 'gone');
  expect(standing.map(({ key, units, asset }) => `${key} ${units} ${asset}`).sort()).toEqual(expected.sort());
  expect(standing.filter(({ state }) => state !== 'final')).toEqual([]);
}

type Booked = { kind: string; owner: string; asset: string; units: bigint };

/** What a payment's money, sweeps and counter-entries come to on each account. */
async function bookedFor({ world }: Game, paymentId: string): Promise<Booked[]> {
  const { rows } = await world.db.query<Booked>(
    `SELECT a.kind, a.owner, a.asset, sum(e.units) AS units
     FROM ledger_transfers t JOIN ledger_entries e ON e.transfer = t.id
     JOIN ledger_accounts a ON a.id = e.account
     WHERE t.cause_id = $1 GROUP BY a.kind, a.owner, a.asset`,
    [paymentId],
  );
  return rows;
}

/** Every unit that reached the address is on exactly one account, and the ledger knows where it lies. */
async function checkMoney(game: Game, { payment, address }: Paid, logs: ChainLog[], { settled }: Model) {
  const { world, chain, shop } = game;
  const booked = await bookedFor(game, payment.id);
  const on = (asset: string, kinds: string[], owner?: string): bigint =>
    booked
      .filter((each) => each.asset === asset && kinds.includes(each.kind))
      .filter((each) => owner === undefined || each.owner === owner)
      .reduce((units, each) => units + each.units, 0n);
  let business = 0n;
  let fees = 0n;
  for (const { asset, address: token, scale } of chain.tokens) {
    const came = sum(arrivedAt(logs, token, address));
    const swept = sum(leftFrom(logs, token, address));
    expect(await world.driver.balanceOf(token, address)).toBe(came - swept);
    const kept = on(asset, ['business', 'receivable', 'fees', 'payable']);
    const isSettled = settled !== null && isOfCurrency(shop.assets, payment, { asset });
    expect({
      held: -on(asset, ['external'], railOf(chain.id)),
      treasury: -on(asset, ['external'], `${railOf(chain.id)}:treasury`),
      kept,
      suspense: on(asset, ['suspense']),
    }).toEqual({
      held: came - swept,
      treasury: swept,
      kept: isSettled ? came : 0n,
      suspense: isSettled ? 0n : came,
    });
    const micro = 10n ** BigInt(scale - 6);
    business += on(asset, ['business', 'receivable']) / micro;
    fees += on(asset, ['fees']) / micro;
  }
  expect({ business, fees }).toEqual({
    business: BigInt(settled?.business ?? 0),
    fees: BigInt(settled?.fee ?? 0),
  });
}

/** Status, reason and events are those of the contract, for what was reported and when. */
async function checkStanding({ world }: Game, { payment }: Paid, model: Model) {
  const { status, reason } = await paymentById(world.db, payment.id);
  expect({ status, reason }).toEqual({ status: model.status, reason: model.reason });
  expect(await statusEventsOf(world.db, payment)).toEqual(model.events);
}
