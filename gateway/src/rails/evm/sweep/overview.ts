import type { Reader } from '../../../kit/db/db.ts';
import type { Hex } from '../config/chains.ts';

/** A transaction that was sent to move deposits, as people see it. */
export type SentSweep = {
  id: string;
  chain_id: number;
  nonce: number;
  token: Hex;
  treasury: Hex;
  deposits: number;
  /** The token's smallest units: to be moved, and once it is mined what it moved. */
  units: bigint;
  state: 'prepared' | 'sent' | 'mined' | 'final' | 'failed' | 'replaced';
  /** Of the attempt that was mined, or else of the newest. */
  hash: Hex;
  succeeded: boolean | null;
  /** Wei that its gas cost; null until it is mined. */
  gas_paid: bigint | null;
  /** What an endpoint or the chain said against it. */
  fault: string | null;
  created_at: Date;
};

const selectSql = `
SELECT t.id, t.chain_id::float8, t.nonce::float8, t.token, t.treasury, cardinality(t.payments) AS deposits,
  t.units, t.state, coalesce(t.hash, newest.hash) AS hash, t.succeeded, t.gas_used * t.gas_price AS gas_paid,
  t.fault, t.created_at
FROM evm_transactions t
CROSS JOIN LATERAL (SELECT hash FROM evm_attempts a WHERE a.transaction_id = t.id
                    ORDER BY a.max_fee DESC LIMIT 1) newest`;

/** The sweeps of all chains below `before`, the newest first. */
export async function recentSweeps(
  reader: Reader,
  { before, limit }: { before: string | null; limit: number },
): Promise<SentSweep[]> {
  const { rows } = await reader.query<SentSweep>(
    `${selectSql} WHERE t.kind = 'sweep' AND ($1::uuid IS NULL OR t.id < $1) ORDER BY t.id DESC LIMIT $2`,
    [before, limit],
  );
  return rows;
}

/** The named ones, in the order of their nonces. */
export async function sweepsById(reader: Reader, ids: readonly string[]): Promise<SentSweep[]> {
  const { rows } = await reader.query<SentSweep>(
    `${selectSql} WHERE t.id = ANY ($1) ORDER BY t.sender, t.nonce`,
    [ids],
  );
  return rows;
}

/** A chain's sender as its last round left it. */
export type SenderReport = {
  chain_id: number;
  gas_key: Hex | null;
  /** Wei. */
  gas_balance: bigint | null;
  /** What keeps it from sending, or will soon, in words. */
  faults: string[];
  planned_at: Date | null;
};

export async function senderReports(reader: Reader): Promise<SenderReport[]> {
  const { rows } = await reader.query<SenderReport>(
    'SELECT chain_id::float8, gas_key, gas_balance, faults, planned_at FROM evm_senders ORDER BY chain_id',
  );
  return rows;
}

/** A deposit that could not be moved. */
export type LeftBehind = {
  chain_id: number;
  token: Hex;
  address: Hex;
  reason: string;
  tries: number;
  retry_at: Date;
};

/** What is left out for now, the longest first. */
export async function leftBehind(reader: Reader, limit: number): Promise<LeftBehind[]> {
  const { rows } = await reader.query<LeftBehind>(
    `SELECT chain_id::float8, token, address, reason, tries, retry_at FROM evm_sweep_faults
     ORDER BY since, chain_id, address, token LIMIT $1`,
    [limit],
  );
  return rows;
}
