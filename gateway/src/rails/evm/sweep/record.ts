import type { Reader } from '../../../kit/db/db.ts';
import type { Hex } from '../config/chains.ts';

// How a transaction under way goes on. Each is one statement, so that a crash leaves it before or after.

export async function noteSent(reader: Reader, id: string): Promise<void> {
  await reader.query(
    `UPDATE evm_transactions SET state = 'sent', fault = NULL WHERE id = $1 AND state = 'prepared'`,
    [id],
  );
}

/** What an endpoint said against it; it stays under way. */
export async function noteFault(reader: Reader, id: string, fault: string): Promise<void> {
  await reader.query('UPDATE evm_transactions SET fault = $2 WHERE id = $1', [id, fault]);
}

export type Mined = {
  hash: Hex;
  blockNumber: bigint;
  succeeded: boolean;
  gasUsed: bigint;
  gasPrice: bigint;
  /** What left the addresses. */
  units: bigint;
};

export async function noteMined(reader: Reader, id: string, mined: Mined): Promise<void> {
  await reader.query(
    `UPDATE evm_transactions SET state = 'mined', hash = $2, block_number = $3, succeeded = $4, gas_used = $5,
       gas_price = $6, units = $7, overtaken_at = NULL, fault = NULL
     WHERE id = $1`,
    [id, mined.hash, mined.blockNumber, mined.succeeded, mined.gasUsed, mined.gasPrice, mined.units],
  );
}

/** Its block was taken out of the chain: it waits to be mined again. */
export async function noteUnmined(reader: Reader, id: string): Promise<void> {
  await reader.query(
    `UPDATE evm_transactions SET state = 'sent', hash = NULL, block_number = NULL, succeeded = NULL,
       gas_used = NULL, gas_price = NULL
     WHERE id = $1`,
    [id],
  );
}

/** At this block its nonce was seen to be used by a transaction that is none of ours; null: no longer so. */
export async function noteOvertaken(reader: Reader, id: string, at: bigint | null): Promise<void> {
  await reader.query('UPDATE evm_transactions SET overtaken_at = $2 WHERE id = $1', [id, at]);
}

export async function settle(
  reader: Reader,
  id: string,
  { state, fault, at }: { state: 'final' | 'failed' | 'replaced'; fault: string | null; at: Date },
): Promise<void> {
  await reader.query('UPDATE evm_transactions SET state = $2, fault = $3, settled_at = $4 WHERE id = $1', [
    id,
    state,
    fault,
    at,
  ]);
}

const firstRetrySeconds = 10 * 60;
const lastRetrySeconds = 24 * 3600;
const doublings = 8;

/** A place that was left out, and why in words. */
export type LeftAt = { token: Hex; address: Hex; reason: string };

/** Leaves what lies there alone for a while, the longer the more often it was tried. */
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

/** These were moved: what was wrong with them is over. */
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
