import type { Reader } from '../kit/db/db.ts';
import type { AssetCode } from '../money/money.ts';
import type { Party } from './accounts.ts';
import { movementsSql } from './sql.ts';

/** One ledger transfer between two kinds of account, in units of its asset. */
export type Movement = {
  id: string;
  at: Date;
  asset: AssetCode;
  units: bigint;
  cause: string;
  from: Party['kind'];
  to: Party['kind'];
};

/** The transfers of one cause, such as a payment, in the order of booking; a hundred at most. */
export async function movementsOf(reader: Reader, causeId: string): Promise<Movement[]> {
  const { rows } = await reader.query<Movement>(movementsSql, [causeId]);
  return rows;
}
