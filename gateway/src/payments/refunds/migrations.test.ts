import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyDatabase } from '../../../test/support/database.ts';
import { migrate, readMigrations } from '../../kit/db/migrate.ts';
import { newId } from '../../kit/ids.ts';

test('0126 turns refunds and returns of before into those that payouts carry, and announces none again', async () => {
  const all = await readMigrations(join(import.meta.dirname, '../..'));
  const { db } = await emptyDatabase();
  await migrate(
    db,
    all.filter(({ number }) => number < 126),
  );
  const [payment, integration, requested, failed, sending, sent, gone, deposit] = Array.from(
    { length: 8 },
    () => newId(),
  );
  const [order, oldOrder, returning] = Array.from({ length: 3 }, () => newId());
  await db.query(
    `INSERT INTO payments (id, reference, token, integration_id, mode, status, payment_type, currency, amount, fee, fee_payer,
       amount_due, deadline, deadline_seconds, late_window_seconds, created_at, updated_at)
     VALUES ($1, 'p', 't', $2, 'live', 'cancelled', 'deposit', 'PI', 10, 0, 'merchant', 10, now(), 1, 1, now(), now())`,
    [payment, integration],
  );
  await db.query(
    `INSERT INTO payment_transfers (rail, key, payment_id, ledger_id, transaction, asset, units, state, confirmations, needed,
       seen_at)
     SELECT 'pi', key, $1, gen_random_uuid(), key, 'pi', 7, 'final', 1, 1, now() FROM unnest($2::text[]) AS key`,
    [payment, ['a', 'b', 'c', 'd', 'e']],
  );
  await db.query(
    `INSERT INTO payment_refunds (id, payment_id, rail, key, asset, units, state, created_at, sent_at, send_id, destination,
       ordered_at, fault)
     VALUES ($2, $1, 'pi', 'a', 'pi', 7, 'requested', now(), NULL, NULL, NULL, NULL, NULL),
       ($3, $1, 'pi', 'b', 'pi', 7, 'requested', now(), NULL, $7, 'G', now(), 'no such account'),
       ($4, $1, 'pi', 'c', 'pi', 7, 'sending', now(), NULL, $8, 'G', now(), NULL),
       ($5, $1, 'pi', 'd', 'pi', 7, 'sent', now(), now(), NULL, NULL, NULL, NULL),
       ($6, $1, 'pi', 'e', 'pi', 7, 'void', now(), NULL, NULL, NULL, NULL, NULL)`,
    [payment, requested, failed, sending, sent, gone, oldOrder, order],
  );
  await db.query(
    `INSERT INTO unmatched_deposits (rail, key, ledger_id, transaction, asset, units, at, booked_at, state, send_id, decided_at,
       decided_by, sent_to)
     VALUES ('pi', 'x', $1, 'x', 'pi', 9, now(), now(), 'returning', $2, now(), $3, 'G')`,
    [deposit, returning, newId()],
  );
  await migrate(db, all);
  const refunds = await db.query(
    `SELECT id, status, payout_id, from_suspense = units AND is_owed AND announced_at IS NOT NULL AS is_owed
     FROM payment_refunds ORDER BY array_position($1::uuid[], id)`,
    [[requested, failed, sending, sent, gone]],
  );
  expect(refunds.rows).toEqual([
    { id: requested, status: 'awaiting_destination', payout_id: null, is_owed: true },
    { id: failed, status: 'awaiting_destination', payout_id: null, is_owed: true },
    { id: sending, status: 'queued', payout_id: order, is_owed: true },
    { id: sent, status: 'completed', payout_id: null, is_owed: true },
    { id: gone, status: 'cancelled', payout_id: null, is_owed: true },
  ]);
  const payouts = await db.query(
    'SELECT id, purpose, status, cause_id, hold_id = id AS is_own_hold, debit_kind, debit_owner FROM payouts ORDER BY purpose',
  );
  expect(payouts.rows).toEqual([
    {
      id: order,
      purpose: 'refund',
      status: 'queued',
      cause_id: payment,
      is_own_hold: true,
      debit_kind: 'payable',
      debit_owner: integration,
    },
    {
      id: returning,
      purpose: 'unmatched_return',
      status: 'queued',
      cause_id: deposit,
      is_own_hold: true,
      debit_kind: 'suspense',
      debit_owner: 'pi',
    },
  ]);
  expect((await db.query('SELECT has_refunds FROM payments')).rows).toEqual([{ has_refunds: true }]);
});
