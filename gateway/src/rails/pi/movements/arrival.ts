import type { Tx } from '../../../kit/db/db.ts';

/** A movement into the custody account whose memo is the identifier of a platform payment. */
export type Arrival = { identifier: string; transaction: string; units: bigint };

/**
 * The state of such a movement. `final`: the platform confirmed it. `held`: the platform is asked, and answers later.
 * `unmatched`: it does not fit the platform payment, or pays it a second time. To be called once for each, in the
 * transaction that records it: from then on the platform is asked about it, even where it was cancelled before.
 */
export async function stateOfArrival(
  tx: Tx,
  { identifier, transaction, units }: Arrival,
  now: Date,
): Promise<'held' | 'final' | 'unmatched'> {
  const { rows } = await tx.query<{ state: string; units: bigint; txid: string | null }>(
    'SELECT state, units, txid FROM pi_platform_payments WHERE identifier = $1 FOR UPDATE',
    [identifier],
  );
  const known = rows[0];
  if (!known || known.units !== units) return 'unmatched';
  if (known.state === 'completed') return known.txid === transaction ? 'final' : 'unmatched';
  // Two transactions may have paid it: the platform says which one counts.
  if (known.txid !== null && known.txid !== transaction && known.state === 'paid') return 'held';
  await tx.query(
    `UPDATE pi_platform_payments
     SET state = 'paid', txid = $2, paid_at = coalesce(paid_at, $3), next_check_at = $3, checks = 0,
       settled_at = NULL, refused_at = NULL
     WHERE identifier = $1`,
    [identifier, transaction, now],
  );
  return 'held';
}
