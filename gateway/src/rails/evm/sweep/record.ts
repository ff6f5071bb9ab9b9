import type { Reader } from '../../../kit/db/db.ts';
import type { Hex } from '../config/chains.ts';

const firstRetrySeconds = 10 * 60;
const lastRetrySeconds = 24 * 3600;
const doublings = 8;

/** A token at an address that was left out, and why in words. */
export type LeftAt = { token: Hex; address: Hex; reason: string };

/** Leaves them out for a while, which is longer after each try. */
export async function noteLeftOut(
  reader: Reader,
  chainId: number,
  left: readonly LeftAt[],
  now: Date,
): Promise<void> {
  if (left.length === 0) return;
  await reader.query(
    `INSERT INTO evm_sweep_faults AS f (chain_id, token, address, reason, tries, since, retry_at)
     SELECT $1, token, address, reason, 1, $3, $3::timestamptz + $4 * interval '1 second'
     FROM json_to_recordset($2) AS t(token text, address text, reason text)
     ON CONFLICT (chain_id, token, address) DO UPDATE SET reason = excluded.reason, tries = f.tries + 1,
       retry_at = $3::timestamptz + least($5, $4 * 2 ^ least(f.tries, $6)) * interval '1 second'`,
    [chainId, JSON.stringify(left), now, firstRetrySeconds, lastRetrySeconds, doublings],
  );
}

/** Deletes the faults of deposits that were moved. */
export async function forgetLeftOut(
  reader: Reader,
  chainId: number,
  token: Hex,
  addresses: readonly Hex[],
): Promise<void> {
  await reader.query(
    'DELETE FROM evm_sweep_faults WHERE chain_id = $1 AND token = $2 AND address = ANY ($3)',
    [chainId, token, addresses],
  );
}
