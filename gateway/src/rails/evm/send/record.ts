import type { Reader } from '../../../kit/db/db.ts';
import type { Hex } from '../config/chains.ts';

// Writes each step of a transaction under way, by one statement, so that a crash leaves it before or after the step. A
// transaction that another process has settled meanwhile stays as it is.

const isOpen = `state IN ('prepared', 'sent', 'mined')`;

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
     WHERE id = $1 AND ${isOpen}`,
    [id, mined.hash, mined.blockNumber, mined.succeeded, mined.gasUsed, mined.gasPrice, mined.units],
  );
}

/** Its block was taken out of the chain: it waits to be mined again. */
export async function noteUnmined(reader: Reader, id: string): Promise<void> {
  await reader.query(
    `UPDATE evm_transactions SET state = 'sent', hash = NULL, block_number = NULL, succeeded = NULL,
       gas_used = NULL, gas_price = NULL
     WHERE id = $1 AND ${isOpen}`,
    [id],
  );
}

/** Notes the block at which its nonce was seen to be used by a transaction of another program; null: it is free again. */
export async function noteOvertaken(reader: Reader, id: string, at: bigint | null): Promise<void> {
  await reader.query(`UPDATE evm_transactions SET overtaken_at = $2 WHERE id = $1 AND ${isOpen}`, [id, at]);
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
