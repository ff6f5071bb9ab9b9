import type { Database, Reader, Tx } from '../../../kit/db/db.ts';
import { type Lease, writeUnderLease } from '../../../kit/db/lease.ts';
import type { Hex } from '../config/chains.ts';
import type { Fees } from './fees.ts';

/** What a transaction is for. Each kind has its own key and sender lock on a chain. */
export type TransactionKind = 'sweep' | 'payout';

export type Attempt = { hash: Hex; signed: Hex; fees: Fees; createdAt: Date };

/** A nonce that was given out and is not settled. Addresses and hashes in lower case. */
export type UnderWay = {
  id: string;
  sender: Hex;
  nonce: number;
  token: Hex;
  /** Where a sweep moves to; of payouts the vault that they leave from. */
  treasury: Hex;
  /** As `ownerText` writes them; of payouts the orders that the newest attempt carries. */
  owners: string[];
  units: bigint;
  gasLimit: bigint;
  state: 'prepared' | 'sent' | 'mined';
  /** The attempt that was mined, and its block. */
  hash: Hex | null;
  minedAt: bigint | null;
  overtakenAt: bigint | null;
  /** What an endpoint last said against it. */
  fault: string | null;
  /** It was final, and another one of ours under way has its nonce: that one is sent, and this one is only watched. */
  isRival: boolean;
  /** The newest last. */
  attempts: Attempt[];
};

/** A transaction is never without one: the first is written together with it. */
export function newestAttempt({ id, attempts }: Pick<UnderWay, 'id' | 'attempts'>): Attempt {
  const newest = attempts.at(-1);
  if (!newest) throw new Error(`Transaction ${id} has no attempt`);
  return newest;
}

export type Prepared = Omit<
  UnderWay,
  'state' | 'hash' | 'minedAt' | 'overtakenAt' | 'fault' | 'isRival' | 'attempts'
>;

type UnderWayRow = Omit<UnderWay, 'attempts'> & {
  attempts: { hash: Hex; signed: Hex; max_fee: string; tip: string | null; created_at: string }[];
};

/** The transactions of a chain that are under way, by sender and nonce. */
export async function underWay(reader: Reader, chainId: number, kind: TransactionKind): Promise<UnderWay[]> {
  const { rows } = await reader.query<UnderWayRow>(
    `SELECT t.id, t.sender, t.nonce::float8, t.token, t.treasury, t.payments AS owners, t.units,
       t.gas_limit AS "gasLimit", t.state, t.hash, t.block_number AS "minedAt", t.overtaken_at AS "overtakenAt", t.fault,
       t.reopened AND EXISTS (
         SELECT FROM evm_transactions o
         WHERE o.chain_id = t.chain_id AND o.sender = t.sender AND o.nonce = t.nonce AND o.id <> t.id
           AND o.state IN ('prepared', 'sent', 'mined') AND (NOT o.reopened OR o.id < t.id)) AS "isRival",
       (SELECT json_agg(json_build_object('hash', a.hash, 'signed', a.signed, 'max_fee', a.max_fee::text,
          'tip', a.tip::text, 'created_at', a.created_at) ORDER BY a.max_fee)
        FROM evm_attempts a WHERE a.transaction_id = t.id) AS attempts
     FROM evm_transactions t
     WHERE t.chain_id = $1 AND t.kind = $2 AND t.state IN ('prepared', 'sent', 'mined')
     ORDER BY t.sender, t.nonce`,
    [chainId, kind],
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

export type FirstAttempt = {
  chainId: number;
  kind: TransactionKind;
  attempt: Attempt;
  /** What else is written in the same commit. */
  also(tx: Tx): Promise<void>;
};

/** Writes a transaction with its first signed bytes: they may be sent only after this. Throws LeaseLost. */
export async function prepare(
  db: Database,
  lease: Lease,
  made: Prepared,
  { chainId, kind, attempt, also }: FirstAttempt,
): Promise<void> {
  await writeUnderLease(db, lease, async (tx) => {
    await tx.query(
      `INSERT INTO evm_transactions (id, chain_id, sender, nonce, token, treasury, payments, units, gas_limit,
         state, created_at, kind)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'prepared', $10, $11)`,
      [
        made.id,
        chainId,
        made.sender,
        made.nonce,
        made.token,
        made.treasury,
        made.owners,
        made.units,
        made.gasLimit,
        attempt.createdAt,
        kind,
      ],
    );
    await insertAttempt(tx, made.id, attempt);
    await also(tx);
  });
}

/** Writes a replacement under the same nonce, which may carry fewer owners. Throws LeaseLost. */
export async function prepareAgain(
  db: Database,
  lease: Lease,
  { id, owners, units }: Pick<Prepared, 'id' | 'owners' | 'units'>,
  attempt: Attempt,
): Promise<void> {
  await writeUnderLease(db, lease, async (tx) => {
    await tx.query('UPDATE evm_transactions SET payments = $2, units = $3 WHERE id = $1', [
      id,
      owners,
      units,
    ]);
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
