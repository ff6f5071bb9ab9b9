import type { Database, Reader, Tx } from '../../../kit/db/db.ts';
import { transaction } from '../../../kit/db/db.ts';
import type { Hex } from '../config/chains.ts';
import type { Fees } from './fees.ts';

/** Another process took over: what this one was about to send is not sent. */
export class LaneLost extends Error {
  constructor(chainId: number) {
    super(`the lane of chain ${chainId} was taken over by another process`);
    this.name = 'LaneLost';
  }
}

/** Long enough for one step of a round; a process that dies leaves the lane to others after it. */
const holdSeconds = 120;

/** Takes a chain's lane, or holds it for longer; false while another process has it. By the database's clock. */
export async function takeLane(reader: Reader, chainId: number, holder: string): Promise<boolean> {
  const { rowCount } = await reader.query(
    `INSERT INTO evm_lanes (chain_id, holder, held_until) VALUES ($1, $2, now() + $3 * interval '1 second')
     ON CONFLICT (chain_id) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
     WHERE evm_lanes.holder = excluded.holder OR evm_lanes.held_until <= now()`,
    [chainId, holder, holdSeconds],
  );
  return rowCount === 1;
}

export async function leaveLane(reader: Reader, chainId: number, holder: string): Promise<void> {
  await reader.query('UPDATE evm_lanes SET held_until = now() WHERE chain_id = $1 AND holder = $2', [
    chainId,
    holder,
  ]);
}

/** Throws LaneLost unless the lane is this holder's until the transaction ends. */
async function holdLane(tx: Tx, chainId: number, holder: string): Promise<void> {
  const { rowCount } = await tx.query(
    'SELECT 1 FROM evm_lanes WHERE chain_id = $1 AND holder = $2 AND held_until > now() FOR UPDATE',
    [chainId, holder],
  );
  if (rowCount !== 1) throw new LaneLost(chainId);
}

export type Attempt = { hash: Hex; signed: Hex; fees: Fees; createdAt: Date };

/** A nonce that was given out and is not settled. Addresses and hashes in lower case. */
export type UnderWay = {
  id: string;
  sender: Hex;
  nonce: number;
  token: Hex;
  treasury: Hex;
  payments: string[];
  units: bigint;
  gasLimit: bigint;
  state: 'prepared' | 'sent' | 'mined';
  /** The attempt that was mined, and its block. */
  hash: Hex | null;
  minedAt: bigint | null;
  overtakenAt: bigint | null;
  /** What an endpoint last said against it. */
  fault: string | null;
  /** The newest last. */
  attempts: Attempt[];
};

export type Prepared = Omit<UnderWay, 'state' | 'hash' | 'minedAt' | 'overtakenAt' | 'fault' | 'attempts'>;

type UnderWayRow = Omit<UnderWay, 'attempts'> & {
  attempts: { hash: Hex; signed: Hex; max_fee: string; tip: string | null; created_at: string }[];
};

/** What of a chain is under way, in the order of its nonces. */
export async function underWay(reader: Reader, chainId: number): Promise<UnderWay[]> {
  const { rows } = await reader.query<UnderWayRow>(
    `SELECT t.id, t.sender, t.nonce::float8, t.token, t.treasury, t.payments, t.units,
       t.gas_limit AS "gasLimit", t.state, t.hash, t.block_number AS "minedAt", t.overtaken_at AS "overtakenAt", t.fault,
       (SELECT json_agg(json_build_object('hash', a.hash, 'signed', a.signed, 'max_fee', a.max_fee::text,
          'tip', a.tip::text, 'created_at', a.created_at) ORDER BY a.max_fee)
        FROM evm_attempts a WHERE a.transaction_id = t.id) AS attempts
     FROM evm_transactions t
     WHERE t.chain_id = $1 AND t.state IN ('prepared', 'sent', 'mined')
     ORDER BY t.sender, t.nonce`,
    [chainId],
  );
  return rows.map((row) => ({
    ...row,
    attempts: row.attempts.map(({ hash, signed, max_fee, tip, created_at }) => ({
      hash,
      signed,
      fees: { maxFee: BigInt(max_fee), tip: tip === null ? null : BigInt(tip) },
      createdAt: new Date(created_at),
    })),
  }));
}

/** Writes down a transaction with its first signed bytes: only then may they be sent. */
export async function prepare(
  db: Database,
  { chainId, holder }: { chainId: number; holder: string },
  made: Prepared,
  attempt: Attempt,
): Promise<void> {
  await transaction(db, async (tx) => {
    await holdLane(tx, chainId, holder);
    await tx.query(
      `INSERT INTO evm_transactions (id, chain_id, sender, nonce, token, treasury, payments, units, gas_limit,
         state, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'prepared', $10)`,
      [
        made.id,
        chainId,
        made.sender,
        made.nonce,
        made.token,
        made.treasury,
        made.payments,
        made.units,
        made.gasLimit,
        attempt.createdAt,
      ],
    );
    await insertAttempt(tx, made.id, attempt);
  });
}

/** The same for a replacement under the same nonce. */
export async function prepareAgain(
  db: Database,
  { chainId, holder }: { chainId: number; holder: string },
  id: string,
  attempt: Attempt,
): Promise<void> {
  await transaction(db, async (tx) => {
    await holdLane(tx, chainId, holder);
    await insertAttempt(tx, id, attempt);
  });
}

async function insertAttempt(tx: Tx, id: string, { hash, signed, fees, createdAt }: Attempt): Promise<void> {
  await tx.query(
    `INSERT INTO evm_attempts (hash, transaction_id, signed, max_fee, tip, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [hash, id, signed, fees.maxFee, fees.tip, createdAt],
  );
}

/** The lowest nonce that the chain has not used and no transaction of ours holds: none is ever skipped. */
export function nextNonce(onChain: number, sender: Hex, open: readonly UnderWay[]): number {
  const held = new Set(open.filter((each) => each.sender === sender).map(({ nonce }) => nonce));
  let nonce = onChain;
  while (held.has(nonce)) nonce += 1;
  return nonce;
}
