import type { Reader } from '../kit/db/db.ts';
import type { AssetCode } from '../money/money.ts';
import type { Party } from './accounts.ts';
import { movementsSql } from './sql.ts';

/** One ledger transfer, as a line between two kinds of account. Units are the asset's own. */
export type Movement = {
  id: string;
  at: Date;
  asset: AssetCode;
  units: bigint;
  cause: string;
  from: Party['kind'];
  to: Party['kind'];
};

/** What was booked because of one thing, such as a payment, in the order of booking; a hundred at most. */
export async function movementsOf(reader: Reader, causeId: string): Promise<Movement[]> {
  const { rows } = await reader.query<Movement>(movementsSql, [causeId]);
  return rows;
}
