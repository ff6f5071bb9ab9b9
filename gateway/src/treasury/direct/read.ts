import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';

export type DirectMoveRow = {
  id: string;
  asset: string;
  units: bigint;
  rail: string;
  transaction: string;
  target: 'merchant' | 'host' | 'given';
  receiver: string;
  at: Date;
  state: 'final' | 'gone';
};

/** What left the addresses of an integration's direct settlements, or came there, newest first. */
export async function directMoves(
  reader: Reader,
  { integrationId, mode }: Owner,
  { before, limit }: { before: string | null; limit: number },
): Promise<DirectMoveRow[]> {
  const { rows } = await reader.query<DirectMoveRow>(
    `SELECT ledger_id AS id, asset, units, rail, transaction, target, receiver, at, state FROM direct_moves
     WHERE integration_id = $1 AND mode = $2 AND ($3::uuid IS NULL OR ledger_id < $3)
     ORDER BY ledger_id DESC LIMIT $4`,
    [integrationId, mode, before, limit],
  );
  return rows;
}
