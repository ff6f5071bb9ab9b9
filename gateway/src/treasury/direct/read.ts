import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { HostParts } from '../../rails/direct.ts';

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
  block: number | null;
};

/** What left the addresses of an integration's direct settlements, or came there, newest first. */
export async function directMoves(
  reader: Reader,
  { integrationId, mode }: Owner,
  { before, limit }: { before: string | null; limit: number },
): Promise<DirectMoveRow[]> {
  const { rows } = await reader.query<DirectMoveRow>(
    `SELECT ledger_id AS id, asset, units, rail, transaction, target, receiver, at, state,
       block_number::float8 AS block
     FROM direct_moves WHERE integration_id = $1 AND mode = $2 AND ($3::uuid IS NULL OR ledger_id < $3)
     ORDER BY ledger_id DESC LIMIT $4`,
    [integrationId, mode, before, limit],
  );
  return rows;
}

/** Moves by the ids under which the ledger knows them. */
export async function directMovesById(
  reader: Reader,
  ids: readonly string[],
): Promise<Map<string, DirectMoveRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await reader.query<DirectMoveRow>(
    `SELECT ledger_id AS id, asset, units, rail, transaction, target, receiver, at, state,
       block_number::float8 AS block
     FROM direct_moves WHERE ledger_id = ANY ($1)`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** What arrived at hosts' own addresses, as `HostParts` says. */
export const hostParts: HostParts = async (reader, mode, since) => {
  const { rows } = await reader.query<{ asset: string; month: string; units: bigint }>(
    `SELECT asset, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, sum(units) AS units FROM direct_moves
     WHERE mode = $1 AND at >= $2 AND target = 'host' AND state = 'final' GROUP BY 1, 2`,
    [mode, since],
  );
  return rows;
};
