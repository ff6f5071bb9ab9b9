import { after } from '../../../kit/clock.ts';
import type { Database, Reader, Tx } from '../../../kit/db/db.ts';
import { transaction } from '../../../kit/db/db.ts';
import type { PiConfig } from '../horizon/network.ts';
import { lockMemo } from '../memos/memos.ts';
import { settleHeld } from '../movements/records.ts';
import type { PlatformDeps } from './deps.ts';

export type PlatformState = 'created' | 'approved' | 'paid' | 'completed' | 'cancelled' | 'refused';

/** A platform payment as we know it. */
export type Known = {
  identifier: string;
  paymentId: string;
  units: bigint;
  state: PlatformState;
  txid: string | null;
  expiresAt: Date;
  checks: number;
};

type Row = {
  identifier: string;
  payment_id: string;
  units: bigint;
  state: PlatformState;
  txid: string | null;
  expires_at: Date;
  checks: number;
};

const columns = 'identifier, payment_id, units, state, txid, expires_at, checks';

const knownOf = (row: Row): Known => ({
  identifier: row.identifier,
  paymentId: row.payment_id,
  units: row.units,
  state: row.state,
  txid: row.txid,
  expiresAt: row.expires_at,
  checks: row.checks,
});

/** The platform payment with this identifier, if it was approved or about to be. */
export async function findKnown(reader: Reader, identifier: string): Promise<Known | null> {
  const { rows } = await reader.query<Row>(
    `SELECT ${columns} FROM pi_platform_payments WHERE identifier = $1`,
    [identifier],
  );
  return rows[0] ? knownOf(rows[0]) : null;
}

/** The other platform payments of a payment that may still pay it or have paid it, the paid ones first. */
export async function otherAttempts(reader: Reader, paymentId: string, identifier: string): Promise<Known[]> {
  const { rows } = await reader.query<Row>(
    `SELECT ${columns} FROM pi_platform_payments
     WHERE payment_id = $1 AND identifier <> $2 AND state IN ('created', 'approved', 'paid', 'completed')
     ORDER BY state IN ('paid', 'completed') DESC, identifier`,
    [paymentId, identifier],
  );
  return rows.map(knownOf);
}

/** How long after the payment's deadline a platform payment that was signed before it may still arrive. */
const graceSeconds = 10 * 60;
const firstCheckSeconds = 10;

/** Notes a platform payment that is about to be approved; the payment is locked. */
export async function insertKnown(
  tx: Tx,
  known: Pick<Known, 'identifier' | 'paymentId' | 'units'> & {
    userUid: string;
    isTest: boolean;
    until: Date;
  },
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO pi_platform_payments
       (identifier, payment_id, user_uid, units, state, expires_at, next_check_at, created_at, is_test)
     VALUES ($1, $2, $3, $4, 'created', $5, $6, $7, $8)
     ON CONFLICT (identifier) DO NOTHING`,
    [
      known.identifier,
      known.paymentId,
      known.userUid,
      known.units,
      after(known.until, graceSeconds),
      after(now, firstCheckSeconds),
      now,
      known.isTest,
    ],
  );
}

/** Notes that it is approved, unless it is further meanwhile. Returns its state, as the functions below do. */
export async function noteApproved(db: Database, identifier: string): Promise<PlatformState> {
  await db.query(
    `UPDATE pi_platform_payments SET state = 'approved', checks = 0, fault = NULL, refused_at = NULL
     WHERE identifier = $1 AND state = 'created'`,
    [identifier],
  );
  return await stateOf(db, identifier);
}

async function stateOf(reader: Reader, identifier: string): Promise<PlatformState> {
  return (await readKnown(reader, identifier)).state;
}

async function readKnown(reader: Reader, identifier: string): Promise<Known> {
  const known = await findKnown(reader, identifier);
  if (!known) throw new Error(`No platform payment ${identifier}`);
  return known;
}

/** Notes that its transaction is on the chain, even where it was cancelled here. */
export async function notePaid(db: Database, identifier: string, txid: string, now: Date): Promise<void> {
  await db.query(
    `UPDATE pi_platform_payments
     SET state = 'paid', txid = $2, paid_at = coalesce(paid_at, $3), checks = 0, fault = NULL, refused_at = NULL,
       next_check_at = $4, settled_at = NULL
     WHERE identifier = $1 AND state NOT IN ('completed', 'refused')
       AND (state <> 'paid' OR txid <> $2)`,
    [identifier, txid, now, after(now, firstCheckSeconds)],
  );
}

type Settling = Pick<PlatformDeps, 'db' | 'report' | 'now'>;

/** Notes that the platform confirmed it, in one commit with settling the held movement; then that is reported. */
export async function noteCompleted(
  deps: Settling,
  identifier: string,
  txid: string,
): Promise<PlatformState> {
  return await settle(deps, identifier, async (tx, now) => {
    const { rowCount } = await tx.query(
      `UPDATE pi_platform_payments
       SET state = 'completed', txid = $2, paid_at = coalesce(paid_at, $3), settled_at = $3,
         next_check_at = NULL, fault = NULL
       WHERE identifier = $1 AND state NOT IN ('completed', 'refused')`,
      [identifier, txid, now],
    );
    return rowCount === 1 && (await settleHeld(tx, identifier, txid));
  });
}

/** Notes that it ended without confirmation: money that is on the chain anyway becomes an unmatched deposit. */
export async function noteEnded(deps: Settling, identifier: string, why: string): Promise<PlatformState> {
  return await settle(deps, identifier, async (tx, now) => {
    const { rows } = await tx.query<{ state: PlatformState }>(
      `UPDATE pi_platform_payments
       SET state = CASE WHEN txid IS NULL THEN 'cancelled' ELSE 'refused' END, settled_at = $2,
         next_check_at = NULL, fault = $3
       WHERE identifier = $1 AND state NOT IN ('completed', 'cancelled', 'refused')
       RETURNING state`,
      [identifier, now, why],
    );
    return rows[0]?.state === 'refused' && (await settleHeld(tx, identifier, null));
  });
}

/** Ends a platform payment while its memo is locked, and reports what `end` settled, if anything. */
async function settle(
  { db, report, now }: Settling,
  identifier: string,
  end: (tx: Tx, now: Date) => Promise<boolean>,
): Promise<PlatformState> {
  const { known, isSettled } = await transaction(db, async (tx) => {
    await lockMemo(tx, identifier);
    const isSettled = await end(tx, now());
    return { isSettled, known: await readKnown(tx, identifier) };
  });
  if (isSettled) await report(known.paymentId);
  return known.state;
}

// A refusal counts as final when it is repeated after this long. With money on the chain it takes longer: the platform
// may be behind its network, or be asked with the key of another app for a while.
const reconsiderSeconds = 60;
const reconsiderPaidSeconds = 3_600;

/** Notes that the platform refuses it. Returns whether the refusal is final. */
export async function noteRefusal(
  db: Database,
  identifier: string,
  why: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await db.query<{ refused_at: Date; txid: string | null }>(
    `UPDATE pi_platform_payments SET refused_at = coalesce(refused_at, $2), fault = $3
     WHERE identifier = $1 AND next_check_at IS NOT NULL RETURNING refused_at, txid`,
    [identifier, now, why],
  );
  const [row] = rows;
  if (!row) return false;
  return after(row.refused_at, row.txid === null ? reconsiderSeconds : reconsiderPaidSeconds) <= now;
}

export async function noteFault(db: Database, identifier: string, why: string): Promise<void> {
  await db.query(
    'UPDATE pi_platform_payments SET fault = $2 WHERE identifier = $1 AND next_check_at IS NOT NULL',
    [identifier, why],
  );
}

const mostSeconds = 3_600;

/**
 * Takes the platform payments of a mode that are due to be asked about, for this process alone. Each is due again after a pause,
 * which grows with each check without news, but not later than its end.
 */
export async function takeDue(
  db: Database,
  { isTest = false }: Pick<PiConfig, 'isTest'>,
  now: Date,
  most: number,
): Promise<Known[]> {
  const { rows } = await db.query<Row>(
    `UPDATE pi_platform_payments SET checks = checks + 1, fault = NULL, next_check_at = greatest(
         least($1::timestamptz + least($3 * 2 ^ least(checks, 12), $4) * interval '1 second',
               CASE WHEN expires_at > $1 THEN expires_at END),
         $1::timestamptz + $3 * interval '1 second')
     WHERE identifier IN (
       SELECT identifier FROM pi_platform_payments WHERE next_check_at <= $1 AND is_test = $5
       ORDER BY next_check_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING ${columns}`,
    [now, most, firstCheckSeconds, mostSeconds, isTest],
  );
  return rows.map(knownOf);
}
