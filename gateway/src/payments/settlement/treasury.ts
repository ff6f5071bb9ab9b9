import type { Reader, Tx } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { type BookedAt, postAll } from '../../ledger/ledger.ts';
import { addressesOf, placeOf } from '../../ledger/places.ts';
import type { Sweep } from '../../rails/rail.ts';

/** A sweep of a payment's money as its chain shows it. Units are the asset's own. */
export type SweepRow = {
  rail: string;
  transaction: string;
  asset: string;
  units: bigint;
  state: Sweep['state'];
  final_at: Date;
  gone_at: Date | null;
};

// Where the state was the same before, neither statement changes a row.
const becameFinalSql = `
INSERT INTO payment_sweeps AS s
  (ledger_id, payment_id, rail, transaction, asset, units, state, final_at)
VALUES ($1, $2, $3, $4, $5, $6, 'final', $7)
ON CONFLICT (ledger_id) DO UPDATE SET state = 'final', gone_at = NULL, bookings = s.bookings + 1
WHERE s.state = 'gone'
RETURNING bookings`;
const leftSql = `
UPDATE payment_sweeps SET state = 'gone', gone_at = $2 WHERE ledger_id = $1 AND state = 'final'
RETURNING bookings`;

/**
 * Books money that a rail moved from a payment's address to the treasury or vault, or that came back because the
 * block left its chain. What is owed to whom does not change. Reported twice it is booked once; reported as gone
 * that was never final, nothing is booked.
 */
export async function bookSweep(tx: Tx, sweep: Sweep, { mode, now }: BookedAt): Promise<void> {
  const { rail, ledgerId, paymentId, transaction, asset, units, to, state } = sweep;
  const { rows } =
    state === 'final'
      ? await tx.query<{ bookings: number }>(becameFinalSql, [
          ...[ledgerId, paymentId, rail, transaction],
          ...[asset, units, now],
        ])
      : await tx.query<{ bookings: number }>(leftSql, [ledgerId, now]);
  const row = rows[0];
  if (!row) return;
  // A splitter holds it for the same merchant as the payment's address did.
  if (to === 'direct') return;
  const target = placeOf(rail, to);
  const [debit, credit] = state === 'final' ? [target, addressesOf(rail)] : [addressesOf(rail), target];
  const id = state === 'final' && row.bookings === 1 ? ledgerId : newId(now);
  const cause = state === 'final' ? 'payment_swept' : 'payment_sweep_undone';
  await postAll(tx, [{ id, mode, asset, units, debit, credit, cause, causeId: paymentId }], now);
}

/** The sweeps of a payment's money, in the order in which they were final. */
export async function sweepsOf(reader: Reader, paymentId: string): Promise<SweepRow[]> {
  const { rows } = await reader.query<SweepRow>(
    `SELECT rail, transaction, asset, units, state, final_at, gone_at FROM payment_sweeps
     WHERE payment_id = $1 ORDER BY final_at, ledger_id`,
    [paymentId],
  );
  return rows;
}
