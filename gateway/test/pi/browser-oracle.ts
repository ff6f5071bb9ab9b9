import { expect } from 'vitest';
import { auditFindings, eventTypesOf, ledgerOf, paymentById } from '../support/payment-fixtures.ts';
import type { Game } from './browser-play.ts';
import { coin } from './browser-world.ts';

type Row = { identifier: string; payment_id: string; state: string; txid: string | null };
type Movement = {
  memo: string;
  transaction: string;
  state: string;
  units: bigint;
  owner_id: string | null;
};

/** Holds what came of a schedule against the platform and the network. */
export async function checkGame(game: Game): Promise<void> {
  const { world, attempts, payments } = game;
  const { db } = world.shop;
  const { rows } = await db.query<Row>(
    'SELECT identifier, payment_id, state, txid FROM pi_platform_payments',
  );
  const { rows: movements } = await db.query<Movement>(
    "SELECT memo, transaction, state, units, owner_id FROM pi_records WHERE direction = 'in'",
  );
  expect(movements.filter(({ state }) => state === 'held')).toEqual([]);
  for (const { identifier } of attempts) {
    const row = rows.find((each) => each.identifier === identifier);
    const came = movements.filter(({ memo }) => memo === identifier);
    checkAttempt(game, identifier, row, came);
  }
  for (const { id } of payments) {
    const counted = movements.filter(({ owner_id, state }) => owner_id === id && state === 'final');
    const units = counted.reduce((sum, each) => sum + each.units, 0n);
    expect((await ledgerOf(db, { id }, 'pi')).external ?? 0n).toBe(-units);
    expect(rows.filter((row) => row.payment_id === id && row.state === 'completed').length).toBeLessThan(2);
    const { status, amountDue } = await paymentById(db, id);
    if (units < amountDue!) expect(status).not.toBe('completed');
    const completions = (await eventTypesOf(db, { id })).filter((type) => type === 'completed');
    expect(completions.length).toBe(status === 'completed' ? 1 : 0);
  }
  await checkCustody(game, movements);
  expect(await auditFindings(db)).toEqual([]);
}

function checkAttempt({ world }: Game, identifier: string, row: Row | undefined, came: Movement[]): void {
  const { status, transaction } = world.pi.payment(identifier)!;
  const counted = came.filter(({ state }) => state === 'final').map((each) => each.transaction);
  // What the platform has confirmed is delivered, once, and nothing else is.
  expect(counted).toEqual(status.developer_completed ? [transaction!.txid] : []);
  expect(row?.state === 'completed').toBe(status.developer_completed);
  // Nobody was let through without a note of it, and nothing is left half done.
  if (status.developer_approved) expect(row).toBeDefined();
  expect(['created', 'approved', 'paid']).not.toContain(row?.state);
  if (row?.state === 'cancelled') expect(status).toMatchObject({ developer_completed: false });
}

/** All that the account got since reading began is in the books, and once. */
async function checkCustody({ world }: Game, movements: Movement[]): Promise<void> {
  const { config, horizon, shop } = world;
  const booked = movements.reduce((sum, { units }) => sum + units, 0n);
  expect(horizon.core.accounts.get(config.account)!.units - 100n * coin).toBe(booked);
  const { rows } = await shop.db.query<{ units: bigint }>(
    `SELECT coalesce(-sum(e.units), 0) AS units FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account
     WHERE a.kind = 'external' AND a.owner = 'pi' AND a.asset = 'pi'`,
  );
  expect(rows[0]!.units).toBe(booked);
}
