import type { Reader, Tx } from '../../kit/db/db.ts';

/** To be called after a database was loaded from a backup: up to where the account had been compared no longer counts. */
export async function forgetPiReadings(tx: Tx): Promise<void> {
  await tx.query('UPDATE pi_accounts SET compared_through = NULL');
}

/**
 * Whether everything that left the account of live mode is booked up to a ledger that a Horizon named as its newest after
 * `forgetPiReadings`, and that closed no earlier than `notBefore`. The account's balance shows that nothing was left out.
 */
export async function isPiReadSince(reader: Reader, notBefore: Date): Promise<boolean> {
  const { rows } = await reader.query<{ is_read: boolean }>(
    `SELECT EXISTS (SELECT FROM pi_accounts WHERE NOT is_test AND compared_through >= $1)
       AND NOT EXISTS (SELECT FROM pi_records WHERE direction = 'out' AND NOT is_test AND reported_state IS DISTINCT FROM state)
       AS is_read`,
    [notBefore],
  );
  return rows[0]?.is_read ?? false;
}
