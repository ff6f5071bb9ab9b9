import { beforeEach, expect, test } from 'vitest';
import { emptyTables, testDatabase } from '../../test/support/database.ts';
import { seedBalance } from '../../test/support/fixtures.ts';
import { transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { payoutStop, resumePayouts, stopPayouts } from '../payouts/rules/stop.ts';
import type { Move } from '../rails/move.ts';
import { assignMove } from './assign.ts';
import { bookMove } from './moves.ts';
import { matchOrders } from './orders.ts';
import { noteRestore } from './restore.ts';

const { db } = await testDatabase();
const backupAt = new Date('2026-11-20T00:00:00Z');
const restoredAt = new Date('2026-11-21T00:00:00Z');
const later = new Date('2026-11-21T01:00:00Z');
const business = newId();

beforeEach(async () => {
  await emptyTables(
    db,
    'treasury_restores, treasury_moves, payout_stop, evm_chains, pi_accounts, pi_records',
  );
  await restore();
});

const left = (at: Date, units: bigint): Move => ({
  ...{ rail: 'evm:56', ledgerId: newId(), transaction: newId(), asset: 'usdc-bep20', units },
  ...{ from: 'vault', to: 'operator', sender: '0xvault', receiver: '0xsomebody', at, state: 'final' },
});
const book = (move: Move) => transaction(db, (tx) => bookMove(tx, move, { mode: 'live', now: later }));
const resume = () => transaction(db, (tx) => resumePayouts(tx));
/** What a round notes that has read everything up to a head with that time. */
const chainRead = (at: Date | null) =>
  db.query(
    `INSERT INTO evm_chains (chain_id, verified_assets, read_head, read_head_at)
     VALUES (56, '{usdc-bep20}', CASE WHEN $1::timestamptz IS NULL THEN NULL ELSE 100 END, $1)
     ON CONFLICT (chain_id) DO UPDATE SET read_head = excluded.read_head, read_head_at = excluded.read_head_at`,
    [at],
  );
const restore = () =>
  transaction(db, async (tx) => {
    await noteRestore(tx, { backupAt, at: restoredAt });
    await stopPayouts(tx, { reason: 'restored', by: 'florin restore', at: restoredAt });
  });

test('payouts go on after a restore when all was read and what left since the backup has an owner', async () => {
  await seedBalance(db, {
    ...{ owner: business, kind: 'business', mode: 'live', asset: 'usdc-bep20', units: 100n },
  });
  const [before, after] = [left(restoredAt, 5n), left(new Date('2026-11-19T00:00:00Z'), 7n)];
  await emptyTables(db, 'treasury_restores');
  await book(before);
  await chainRead(restoredAt);
  await restore();
  await expect(resume()).rejects.toThrow('evm:56 has not been read up to the restore yet');
  await chainRead(new Date('2026-11-20T21:00:00Z'));
  await expect(resume()).rejects.toThrow('evm:56 has not been read');
  // What its clock says of a transfer does not matter.
  await chainRead(new Date('2026-11-20T23:00:00Z'));
  await book(after);
  await expect(resume()).rejects.toThrow("transfers that left since the backup and are nobody's yet: 1");
  expect(await payoutStop(db)).not.toBeNull();
  const by = { accountId: newId(), reason: 'it was theirs' };
  await transaction(db, (tx) =>
    assignMove(tx, after.ledgerId, { owner: { kind: 'business', id: business }, ...by }, later),
  );
  expect(await resume()).toBe(true);
  expect(await payoutStop(db)).toBeNull();
  const { rows } = await db.query<{ balance: bigint }>(
    "SELECT balance FROM ledger_accounts WHERE kind = 'business' AND owner = $1",
    [business],
  );
  expect(rows).toEqual([{ balance: 93n }]);
});

test('Pi counts as read when its account was compared after the restore, however far its clock runs ahead', async () => {
  await emptyTables(db, 'treasury_restores');
  const aheadOfAll = new Date('2026-11-21T02:00:00Z');
  const compared = (at: Date) =>
    db.query(
      `INSERT INTO pi_accounts (passphrase, account, cursor, compared_through) VALUES ('net', 'GACC', 5, $1)
       ON CONFLICT (passphrase, account) DO UPDATE SET compared_through = $1`,
      [at],
    );
  const lift = () => transaction(db, (tx) => resumePayouts(tx, ['pi']));
  await compared(aheadOfAll);
  await restore();
  await chainRead(later);
  await expect(lift()).rejects.toThrow('pi has not been read up to the restore yet');
  await compared(aheadOfAll);
  await db.query(
    `INSERT INTO pi_records (paging_token, transaction, account, direction, type, units, counterparty, memo_type,
       state, ledger_id, fee_ledger_id, at, read_at)
     VALUES (7, 'abc', 'GACC', 'out', 'payment', 9, 'GSOMEBODY', 'none', 'out', $1, $2, $3, $3)`,
    [newId(), newId(), later],
  );
  // It was read, and is not booked yet.
  await expect(lift()).rejects.toThrow('pi has not been read');
  await db.query("UPDATE pi_records SET reported_state = 'out'");
  expect(await lift()).toBe(true);
});

test('without a restore the switch is lifted whatever left', async () => {
  await emptyTables(db, 'treasury_restores');
  await book(left(later, 7n));
  expect(await resume()).toBe(true);
});

test('what left is assigned once, and what a business lacks it owes', async () => {
  const move = left(later, 7n);
  await book(move);
  const by = { accountId: newId(), reason: 'theirs' };
  const owner = newId();
  const assign = () =>
    transaction(db, (tx) =>
      assignMove(tx, move.ledgerId, { owner: { kind: 'business', id: owner }, ...by }, later),
    );
  await assign();
  await expect(assign()).rejects.toThrow('decided');
  const { rows } = await db.query(
    'SELECT kind, balance FROM ledger_accounts WHERE owner = $1 AND balance <> 0',
    [owner],
  );
  expect(rows).toEqual([{ kind: 'receivable', balance: -7n }]);
});

test('a payout that names a transfer ordered it, and each one transfer alone', async () => {
  const one = left(later, 7n);
  const twin = { ...one, ledgerId: newId() };
  await chainRead(later);
  await book(one);
  await book(twin);
  await db.query(
    `INSERT INTO payouts (id, mode, purpose, status, asset, units, fee, rail, debit_kind, debit_owner, credit_owner,
       hold_id, destination, approvals_needed, operator_approvals_needed, requester, transaction, created_at, updated_at)
     VALUES ($1, 'live', 'fee_withdrawal', 'completed', 'usdc-bep20', 7, 0, 'evm:56', 'fees_out', '', 'evm:56:operator',
       $2, '0xSomebody', 0, 0, 'operator', $3, $4, $4)`,
    [newId(), newId(), one.transaction, later],
  );
  await expect(resume()).rejects.toThrow("transfers that left since the backup and are nobody's yet: 1");
  await matchOrders(db);
  const { rows } = await db.query('SELECT FROM treasury_moves WHERE payout_id IS NOT NULL');
  expect(rows).toHaveLength(1);
});
