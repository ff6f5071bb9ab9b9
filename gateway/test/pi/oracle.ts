import { expect } from 'vitest';
import type { Database } from '../../src/kit/db/db.ts';
import { entriesOf, modelOf } from '../schedules/journal.ts';
import type { Model } from '../schedules/payment-model.ts';
import { auditFindings, paymentById, statusEventsOf } from '../support/payment-fixtures.ts';
import type { Game, Paid } from './game.ts';
import { isOwn, type Movement, movementsOf, nobodys, ownerOf, sentFor, sum } from './movements.ts';

// What must be true once the faults are over and everything was read, sent and settled, taken from the network's own
// ledger and from the platform.

/** Holds all that came of a schedule against the network. */
export async function checkAgainstNetwork(game: Game): Promise<void> {
  const movements = movementsOf(game);
  await checkRecords(game, movements);
  await checkSends(game, movements);
  const deposits = await checkUnmatched(game, movements);
  const payers = await assigned(game);
  for (const paid of game.paid) {
    const model = modelOf(paid.payment, await entriesOf(game.world.db, paid.payment.id));
    const came = movements.filter(
      (each) => ownerOf(game, each) === paid.payment.id || payers.get(each.key) === paid.payment.id,
    );
    await checkTransfers(game, paid, came);
    await checkStanding(game, paid, model);
    await checkMoney(game, paid, came, movements, model);
  }
  await checkCustody(game, movements, deposits);
  expect(await auditFindings(game.world.db)).toEqual([]);
}

const lines = (movements: readonly Movement[]): string[] =>
  movements.map(({ key, units }) => `${key} ${units}`).sort();

async function linesOf({ world }: Game, sql: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await world.db.query<{ line: string }>(sql, values);
  return rows.map(({ line }) => line).sort();
}

/** Each movement was noted once and told, and nothing else. */
async function checkRecords(game: Game, movements: readonly Movement[]) {
  const noted = await linesOf(
    game,
    `SELECT transaction || ':' || (paging_token::bigint & 4095) || ' '
       || CASE direction WHEN 'in' THEN units ELSE -units END AS line
     FROM pi_records WHERE units > 0`,
  );
  expect(noted).toEqual(lines(movements));
  expect(await linesOf(game, "SELECT state AS line FROM pi_records WHERE state = 'held'")).toEqual([]);
}

/** Exactly what came with a payment's memo, or was found to be its own, is a final transfer of it. */
async function checkTransfers(game: Game, { payment }: Paid, came: readonly Movement[]) {
  const { rows } = await game.world.db.query<{ line: string; state: string }>(
    `SELECT key || ' ' || units AS line, state FROM payment_transfers WHERE payment_id = $1`,
    [payment.id],
  );
  const final = rows.filter(({ state }) => state === 'final').map(({ line }) => line);
  expect(final.sort()).toEqual(lines(came));
  expect(rows.filter(({ state }) => state === 'seen')).toEqual([]);
}

/** What names no payment is an unmatched deposit, and nothing else. Returns what is open, and what is the operator's. */
async function checkUnmatched(
  game: Game,
  movements: readonly Movement[],
): Promise<{ open: bigint; own: bigint }> {
  const { rows } = await game.world.db.query<{ key: string; units: bigint; state: string }>(
    'SELECT key, units, state FROM unmatched_deposits',
  );
  expect(rows.map(({ key, units }) => `${key} ${units}`).sort()).toEqual(lines(nobodys(game, movements)));
  expect(rows.filter(({ state }) => state === 'returning')).toEqual([]);
  const returned = rows.filter(({ state }) => state === 'returned');
  expect(sum(returned)).toBe(sum(sentFor(game, movements, null)));
  return {
    open: sum(rows.filter(({ state }) => state === 'open')),
    own: sum(rows.filter(({ state }) => state === 'own')),
  };
}

/** The payment that an operator assigned each unmatched deposit to. */
async function assigned(game: Game): Promise<Map<string, string>> {
  const { rows } = await game.world.db.query<{ key: string; payment_id: string }>(
    "SELECT key, payment_id FROM unmatched_deposits WHERE state = 'assigned'",
  );
  const found = new Map(rows.map(({ key, payment_id }) => [key, payment_id]));
  expect(found).toEqual(game.assigned);
  return found;
}

/** What was ordered left the account once, or not at all, as the order says. */
async function checkSends(game: Game, movements: readonly Movement[]) {
  const { rows } = await game.world.db.query<{ memo: string; units: bigint; state: string }>(
    'SELECT memo, units, state FROM pi_sends',
  );
  const ordered = game.orders.map(({ memo, units }) => `${memo} ${units}`).sort();
  expect(rows.map(({ memo, units }) => `${memo} ${units}`).sort()).toEqual(ordered);
  const settled = rows.filter(({ state }) => state === 'settled');
  const left = movements.filter((each) => isOwn(game, each));
  expect(left.map(({ memo, units }) => `${memo} ${-units}`).sort()).toEqual(
    settled.map(({ memo, units }) => `${memo} ${units}`).sort(),
  );
}

type Booked = { kind: string; units: bigint };

/** What a payment's transfers come to on each kind of account. */
async function bookedFor({ world }: Game, paymentId: string): Promise<Booked[]> {
  const { rows } = await world.db.query<Booked>(
    `SELECT CASE WHEN a.kind = 'suspense' AND a.owner = 'pi' THEN 'unmatched' ELSE a.kind END AS kind,
       sum(e.units) AS units
     FROM ledger_transfers t JOIN ledger_entries e ON e.transfer = t.id
     JOIN ledger_accounts a ON a.id = e.account
     WHERE t.cause_id = $1 AND a.asset = 'pi' GROUP BY 1`,
    [paymentId],
  );
  return rows;
}

/** Every stroop that a payment got is on exactly one account, or went back to who sent it. */
async function checkMoney(
  game: Game,
  { payment }: Paid,
  came: readonly Movement[],
  movements: readonly Movement[],
  { settled, returned }: Model,
) {
  const booked = await bookedFor(game, payment.id);
  const on = (...kinds: string[]): bigint => sum(booked.filter(({ kind }) => kinds.includes(kind)));
  const all = sum(came);
  const sent = sum(sentFor(game, movements, payment.id));
  const givenBack = sum(came.filter(({ key }) => returned.has(key)));
  const suspense = settled === null ? all - givenBack : 0n;
  expect({
    outside: -on('external', 'unmatched'),
    suspense: on('suspense'),
    kept: on('business', 'receivable', 'fees', 'payable'),
    business: on('business', 'receivable'),
    fees: on('fees'),
  }).toEqual({
    outside: all - sent,
    suspense,
    kept: all - suspense - sent,
    business: BigInt(settled?.business ?? 0),
    fees: BigInt(settled?.fee ?? 0),
  });
}

/** The ledger says of the account what the network says: what it got since the beginning, less what left it. */
async function checkCustody(
  game: Game,
  movements: readonly Movement[],
  { open, own }: { open: bigint; own: bigint },
) {
  const { world, custody, begin } = game;
  const { history, accounts } = world.network.core;
  const id = custody.publicKey();
  const transactions = (history.of(id)?.transactions ?? []).filter(
    ({ token, envelope }) => token > begin.token && envelope.source.account === id,
  );
  // What moved no money was not read where it happened before the account's balance was known.
  const payments = new Set(history.of(id)?.payments.map(({ transaction }) => transaction));
  const fees = (isSeen: boolean): bigint =>
    transactions
      .filter((each) => (payments.has(each) || each.token > begin.known) === isSeen)
      .reduce((units, each) => units + each.feeCharged, 0n);
  const now = await standingInLedger(game.world.db);
  const since = (name: keyof LedgerStanding): bigint => now[name] - game.before[name];
  const taken = movements.filter((each) => each.units < 0n && !isOwn(game, each));
  expect({
    custody: since('custody'),
    treasury: since('treasury'),
    deposits: since('deposits'),
    networkFees: since('networkFees'),
  }).toEqual({
    custody: accounts.get(id)!.units - begin.units + fees(false),
    treasury: -sum(taken) - own,
    deposits: open,
    networkFees: fees(true),
  });
}

/** What the ledger says of the rail: what is in its account, in the treasury, nobody's, and gone in fees. */
export type LedgerStanding = { custody: bigint; treasury: bigint; deposits: bigint; networkFees: bigint };

export async function standingInLedger(db: Database): Promise<LedgerStanding> {
  const { rows } = await db.query<LedgerStanding>(
    `SELECT
       coalesce(-sum(units) FILTER (WHERE kind = 'external' AND owner = 'pi'), 0) AS custody,
       coalesce(-sum(units) FILTER (WHERE kind = 'external' AND owner = 'pi:operator'), 0) AS treasury,
       coalesce(sum(units) FILTER (WHERE kind = 'suspense' AND owner = 'pi'), 0) AS deposits,
       (SELECT coalesce(sum(units), 0) FROM ledger_transfers WHERE cause = 'network_fee') AS "networkFees"
     FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account`,
  );
  return rows[0]!;
}

/** Status, reason and events are those of the contract, for what was reported and when. */
async function checkStanding({ world }: Game, { payment }: Paid, model: Model) {
  const { status, reason } = await paymentById(world.db, payment.id);
  expect({ status, reason }).toEqual({ status: model.status, reason: model.reason });
  expect(await statusEventsOf(world.db, payment)).toEqual(model.events);
}
