import type { Reader, Tx } from '../../../../kit/db/db.ts';

/** A reading of all transfers some time after the first one. */
export type SecondCursor = {
  round: 1 | 2;
  /** The last block that it has read. */
  number: bigint;
  /** The last block that it reads when it is due: the one that was final at `targetAt`. */
  target: bigint;
  targetAt: Date;
  /** The endpoint from which it read last. */
  endpoint: string | null;
};

/**
 * How long after `targetAt` each round is due. When it reaches its target it gets the next one, so that a block is read again
 * between once and twice this long after it was final.
 */
export const delaySeconds: Readonly<Record<SecondCursor['round'], number>> = { 1: 180, 2: 2_700 };

/** Begins the second readings of a chain at the block where its scan begins. */
export async function beginSecondReadings(tx: Tx, chainId: number, number: bigint, now: Date): Promise<void> {
  await tx.query(
    `INSERT INTO evm_second_readings AS s (chain_id, round, number, target, target_at)
     SELECT $1, round, $2, $2, $3 FROM generate_series(1, 2) AS round
     ON CONFLICT (chain_id, round) DO UPDATE SET number = $2, target = $2, target_at = $3`,
    [chainId, number, now],
  );
}

/** Moves them back with the final cursor: the blocks after it are others now and must be read again. */
export async function stepSecondReadingsBack(tx: Tx, chainId: number, final: bigint): Promise<void> {
  await tx.query(
    `UPDATE evm_second_readings SET number = least(number, $2::bigint), target = least(target, $2::bigint)
     WHERE chain_id = $1 AND target > $2::bigint`,
    [chainId, final],
  );
}

/** The second readings of a chain, the earlier round first. */
export async function secondCursors(reader: Reader, chainId: number): Promise<SecondCursor[]> {
  const { rows } = await reader.query<SecondCursor>(
    `SELECT round, number, target, target_at AS "targetAt", endpoint FROM evm_second_readings
     WHERE chain_id = $1 ORDER BY round`,
    [chainId],
  );
  return rows;
}

/**
 * Moves a second cursor on, unless the final cursor went back since. At its target it gets the next one. `missed`: it
 * found a transfer that the first reading had missed. `at`: now.
 */
export async function moveSecondCursor(
  tx: Tx,
  chainId: number,
  from: SecondCursor,
  read: { number: bigint; endpoint: string | null; missed: boolean; at: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE evm_second_readings SET number = $4, endpoint = coalesce($5, endpoint),
       missed_at = CASE WHEN $6 THEN $7 ELSE missed_at END,
       target = CASE WHEN target = $4
         THEN greatest($4, (SELECT final_number FROM evm_chains WHERE chain_id = $1)) ELSE target END,
       target_at = CASE WHEN target = $4 THEN $7 ELSE target_at END
     WHERE chain_id = $1 AND round = $2 AND number = $3 AND target >= $4`,
    [chainId, from.round, from.number, read.number, read.endpoint, read.missed, read.at],
  );
  return rowCount === 1;
}
