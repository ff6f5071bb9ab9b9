import type { Tx } from '../kit/db/db.ts';
import { type AccountRef, openAccounts } from './accounts.ts';
import { bulkPostSql } from './sql.ts';

/**
 * The temporary table that `postInBulk` reads: one row for each transfer. All have the same mode, and after all of them
 * no stored balance may be negative.
 */
export const bulkTransfersTable = `
CREATE TEMP TABLE bulk_transfers (
  id uuid, at timestamptz, mode text, asset text, units numeric, debit_kind text, debit_owner text,
  credit_kind text, credit_owner text, cause text, cause_id uuid
) ON COMMIT DROP`;

/** Posts all transfers of `bulk_transfers` in one statement, for many at once such as sample data. Returns how many. */
export async function postInBulk(tx: Tx): Promise<number> {
  const { rows } = await tx.query<AccountRef>(
    `SELECT DISTINCT debit_kind AS kind, debit_owner AS owner, mode, asset FROM bulk_transfers
     UNION SELECT DISTINCT credit_kind, credit_owner, mode, asset FROM bulk_transfers`,
  );
  await openAccounts(tx, rows);
  const { rowCount } = await tx.query(bulkPostSql);
  return rowCount ?? 0;
}
