import { expect } from 'vitest';
import type { Database } from '../src/kit/db.ts';
import type { LedgerOperation } from './horizon/core/ledger.ts';
import { auditFindings, eventTypesOf, paymentById } from './payment-fixtures.ts';
import type { Model } from './payment-model.ts';
import type { Game, Paid } from './pi-game.ts';
import { entriesOf, modelOf } from './schedule-journal.ts';

// What must be true once the faults are over and everything was read, taken from the network's own ledger: what each
// operation did to the account, by its effects.

/** What one operation did to the account. */
export type Movement = { key: string; hash: string; came: bigint; went: bigint; operation: LedgerOperation };

/** Everything that moved the account's PI since reading began, in its order. */
export function movementsOf({ world, custody, begin }: Game): Movement[] {
  const account = custody.publicKey();
  const operations = world.network.core.history.of(account)?.operations ?? [];
  return operations
    .filter(({ token, transaction }) => token > begin.token && transaction.successful)
    .map((operation) => {
      const sum = (type: string): bigint =>
        operation.effects
          .filter((effect) => effect.type === type && effect.party.account === account)
          .filter(({ fields }) => fields.asset_type === 'native')
          .reduce((units, { fields }) => units + BigInt(String(fields.amount).replace('.', '')), 0n);
      const created = operation.effects.find(
        ({ type, party }) => type === 'account_created' && party.account === account,
      );
      const start = created ? BigInt(String(created.fields.starting_balance).replace('.', '')) : 0n;
      const { hash } = operation.transaction.envelope;
      return {
        key: `${hash}:${operation.token & 0xfffn}`,
        ...{ hash, operation, went: sum('account_debited'), came: sum('account_credited') + start },
      };
    })
    .filter(({ came, went }) => came !== went);
}

/** Holds all that came of a schedule against the network. */
export async function checkAgainstNetwork(game: Game): Promise<void> {
  const movements = movementsOf(game);
  await checkRecords(game, movements);
  await checkStrays(game, movements);
  for (const paid of game.paid) {
    const model = modelOf(paid.payment, await entriesOf(game.world.db, paid.payment.id));
    await checkTransfers(game, paid, movements);
    await checkStanding(game, paid, model);
    await checkMoney(game, paid, movements, model);
  }
  await checkCustody(game, movements);
  expect(await auditFindings(game.world.db)).toEqual([]);
}

const lines = (movements: readonly Movement[]): string[] =>
  movements.map(({ key, came, went }) => `${key} ${came - went}`).sort();

/** What came with what names a payment. */
const meantFor = ({ meant }: Game, movements: readonly Movement[], paymentId: string | null): Movement[] =>
  movements.filter(({ came, went, hash }) => came > went && (meant.get(hash) ?? null) === paymentId);

/** Each movement was noted once, and nothing else. */
async function checkRecords({ world }: Game, movements: readonly Movement[]) {
  const { rows } = await world.db.query<{ line: string }>(
    `SELECT transaction || ':' || (paging_token::bigint & 4095) || ' '
       || CASE direction WHEN 'in' THEN units ELSE -units END AS line
     FROM pi_records WHERE units > 0`,
  );
  expect(rows.map(({ line }) => line).sort()).toEqual(lines(movements));
  const untold = await world.db.query('SELECT FROM pi_records WHERE told_state IS DISTINCT FROM state');
  expect(untold.rowCount).toBe(0);
}

/** Exactly what came with a payment's memo is a final transfer of it. */
async function checkTransfers(game: Game, { payment }: Paid, movements: readonly Movement[]) {
  const { rows } = await game.world.db.query<{ line: string; state: string }>(
    `SELECT key || ' ' || units AS line, state FROM payment_transfers WHERE payment_id = $1`,
    [payment.id],
  );
  expect(rows.map(({ line }) => line).sort()).toEqual(lines(meantFor(game, movements, payment.id)));
  expect(rows.filter(({ state }) => state !== 'final')).toEqual([]);
}

/** What names no payment is a stray, and nothing else. */
async function checkStrays(game: Game, movements: readonly Movement[]) {
  const { rows } = await game.world.db.query<{ line: string }>(
    "SELECT key || ' ' || units AS line FROM stray_transfers",
  );
  expect(rows.map(({ line }) => line).sort()).toEqual(lines(meantFor(game, movements, null)));
}

type Booked = { kind: string; owner: string; units: bigint };

/** What a payment's transfers come to on each account. */
async function bookedFor({ world }: Game, paymentId: string): Promise<Booked[]> {
  const { rows } = await world.db.query<Booked>(
    `SELECT a.kind, a.owner, sum(e.units) AS units
     FROM ledger_transfers t JOIN ledger_entries e ON e.transfer = t.id
     JOIN ledger_accounts a ON a.id = e.account
     WHERE t.cause_id = $1 AND a.asset = 'pi' GROUP BY a.kind, a.owner`,
    [paymentId],
  );
  return rows;
}

const on = (booked: readonly Booked[], kinds: string[], owner?: string): bigint =>
  booked
    .filter((each) => kinds.includes(each.kind) && (owner === undefined || each.owner === owner))
    .reduce((units, each) => units + each.units, 0n);

/** Every stroop that a payment got is on exactly one account. */
async function checkMoney(game: Game, { payment }: Paid, movements: readonly Movement[], { settled }: Model) {
  const came = meantFor(game, movements, payment.id).reduce(
    (units, each) => units + each.came - each.went,
    0n,
  );
  const booked = await bookedFor(game, payment.id);
  const isDivided = settled !== null;
  expect({
    external: -on(booked, ['external'], 'pi'),
    kept: on(booked, ['business', 'receivable', 'fees', 'payable']),
    suspense: on(booked, ['suspense']),
    business: on(booked, ['business', 'receivable']),
    fees: on(booked, ['fees']),
  }).toEqual({
    external: came,
    kept: isDivided ? came : 0n,
    suspense: isDivided ? 0n : came,
    business: BigInt(settled?.business ?? 0),
    fees: BigInt(settled?.fee ?? 0),
  });
}

/** The ledger says of the account what the network says: what it got since the beginning, less what left it. */
async function checkCustody(game: Game, movements: readonly Movement[]) {
  const { world, custody, begin } = game;
  const { history, accounts } = world.network.core;
  const id = custody.publicKey();
  const own = (history.of(id)?.transactions ?? []).filter(
    ({ token, envelope }) => token > begin.token && envelope.source.account === id,
  );
  // What moves no money is none of a reader of payments.
  const payments = new Set(history.of(id)?.payments.map(({ transaction }) => transaction));
  const fees = (isSeen: boolean): bigint =>
    own.filter((each) => payments.has(each) === isSeen).reduce((units, each) => units + each.feeCharged, 0n);
  const now = await standingInLedger(game.world.db);
  const since = (name: keyof LedgerStanding): bigint => now[name] - game.before[name];
  const out = movements.reduce((units, { came, went }) => units + (went > came ? went - came : 0n), 0n);
  const strays = meantFor(game, movements, null).reduce((units, { came, went }) => units + came - went, 0n);
  expect({
    custody: since('custody'),
    treasury: since('treasury'),
    strays: since('strays'),
    networkFees: since('networkFees'),
  }).toEqual({
    custody: accounts.get(id)!.units - begin.units + fees(false),
    treasury: out,
    strays,
    networkFees: fees(true),
  });
}

/** What the ledger says of the rail: what is in its account, in the treasury, nobody's, and gone in fees. */
export type LedgerStanding = { custody: bigint; treasury: bigint; strays: bigint; networkFees: bigint };

export async function standingInLedger(db: Database): Promise<LedgerStanding> {
  const { rows } = await db.query<LedgerStanding>(
    `SELECT
       coalesce(-sum(units) FILTER (WHERE kind = 'external' AND owner = 'pi'), 0) AS custody,
       coalesce(-sum(units) FILTER (WHERE kind = 'external' AND owner = 'pi:treasury'), 0) AS treasury,
       coalesce(sum(units) FILTER (WHERE kind = 'suspense' AND owner = 'pi'), 0) AS strays,
       (SELECT coalesce(sum(units), 0) FROM ledger_transfers WHERE cause = 'network_fee') AS "networkFees"
     FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account`,
  );
  return rows[0]!;
}

/** Status, reason and events are those of the contract, for what was reported and when. */
async function checkStanding({ world }: Game, { payment }: Paid, model: Model) {
  const { status, reason } = await paymentById(world.db, payment.id);
  expect({ status, reason }).toEqual({ status: model.status, reason: model.reason });
  expect(await eventTypesOf(world.db, payment)).toEqual(model.events);
}
