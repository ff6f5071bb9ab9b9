import type { Reader, Tx } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import type { OwnerKind } from '../../owner.ts';
import type { PiConfig } from '../horizon/network.ts';
import { markedOwner } from '../memos/memos.ts';
import { stateOfArrival } from './arrival.ts';
import { indexOf, type Movement } from './movement.ts';

/** A movement as its row keeps it. */
export type RecordRow = {
  paging_token: bigint;
  transaction: string;
  direction: 'in' | 'out';
  units: bigint;
  counterparty: string;
  memo_type: string;
  memo: string | null;
  muxed_id: bigint | null;
  /** Whose it is. */
  owner_kind: OwnerKind | null;
  owner_id: string | null;
  state: 'held' | 'final' | 'unmatched' | 'out' | 'gone';
  fee: bigint;
  ledger_id: string;
  fee_ledger_id: string;
  at: Date;
  reported_state: RecordRow['state'] | null;
};

const insertSql = `
INSERT INTO pi_records (paging_token, transaction, account, direction, type, units, counterparty, memo_type, memo,
  muxed_id, owner_id, state, fee, ledger_id, fee_ledger_id, at, read_at, is_test)
SELECT $1, $2::text, $3, $4, $5, $6::numeric, $7, $8, $9, $10, $11, $12, borne.fee, $14, $15, $16, $17, $18
FROM (SELECT CASE WHEN EXISTS (SELECT FROM pi_records WHERE transaction = $2::text AND fee > 0)
  THEN 0 ELSE $13::numeric END AS fee) borne
WHERE $6::numeric > 0 OR borne.fee > 0
ON CONFLICT (transaction, paging_token) DO UPDATE SET direction = excluded.direction, type = excluded.type,
  units = excluded.units, counterparty = excluded.counterparty, memo_type = excluded.memo_type, memo = excluded.memo,
  muxed_id = excluded.muxed_id, owner_id = excluded.owner_id, state = excluded.state, fee = excluded.fee,
  ledger_id = excluded.ledger_id, fee_ledger_id = excluded.fee_ledger_id, at = excluded.at, read_at = excluded.read_at
WHERE pi_records.state = 'gone' AND pi_records.reported_state = 'gone'`;

/**
 * Notes a movement and its owner; one that was read wrong is noted again after it was reported as gone. Returns false
 * where there is nothing to note: it was noted before, or it moved nothing and the fee of its transaction is noted with
 * another operation. The caller has locked the account's row, so that the fee of a transaction is noted only once.
 */
export async function noteMovement(
  tx: Tx,
  account: Pick<PiConfig, 'account' | 'isTest'>,
  movement: Movement,
  now: Date,
): Promise<boolean> {
  const isNoted = await insertRecord(tx, account, movement, now);
  if (movement.direction === 'out' || movement.fee === 0n) return isNoted;
  // Another account paid ours in a transaction of ours: the fee is noted as a movement of its own.
  const token = movement.token - indexOf(movement.token);
  const cost = { ...movement, token, direction: 'out', units: 0n, counterparty: account.account } as const;
  return (await insertRecord(tx, account, cost, now)) || isNoted;
}

async function insertRecord(
  tx: Tx,
  { account, isTest = false }: Pick<PiConfig, 'account' | 'isTest'>,
  movement: Movement,
  now: Date,
): Promise<boolean> {
  const { token, direction, type, units, counterparty, memoType, memo, muxedId, at } = movement;
  const fee = direction === 'in' ? 0n : movement.fee;
  const owned = direction === 'in' ? await ownerOf(tx, { ...movement, isTest }, now) : outgoing;
  const { rowCount } = await tx.query({
    name: 'note-pi-movement',
    text: insertSql,
    values: [
      token,
      movement.transaction,
      account,
      direction,
      type,
      units,
      counterparty,
      memoType,
      memo,
      muxedId,
      owned.ownerId,
      owned.state,
      fee,
      newId(now),
      newId(now),
      at,
      now,
      isTest,
    ],
  });
  return rowCount === 1;
}

type Owned = { ownerId: string | null; state: RecordRow['state'] };

const outgoing: Owned = { ownerId: null, state: 'out' };
const unmatched: Owned = { ownerId: null, state: 'unmatched' };

async function ownerOf(tx: Tx, movement: Movement & { isTest: boolean }, now: Date): Promise<Owned> {
  const marked = await markedOwner(tx, movement);
  if (!marked) return unmatched;
  const { ownerId } = marked;
  if (marked.kind === 'transfer') return { ownerId, state: 'final' };
  const arrival = { identifier: marked.memo, transaction: movement.transaction, units: movement.units };
  const state = await stateOfArrival(tx, arrival, now);
  return state === 'unmatched' ? unmatched : { ownerId, state };
}

/**
 * Settles the held movements of a platform payment, by its identifier: that of the `confirmed` transaction is final,
 * any other is an unmatched deposit; with null all are. They are reported afterwards. The caller has locked the memo
 * and noted the platform's answer, so that a movement that is read at the same time finds it. Returns whether there was
 * one.
 */
export async function settleHeld(tx: Tx, identifier: string, confirmed: string | null): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE pi_records SET state = CASE WHEN transaction = $2 THEN 'final' ELSE 'unmatched' END, report_after = NULL
     WHERE memo = $1 AND state = 'held'`,
    [identifier, confirmed],
  );
  return rowCount !== 0;
}

/** Whether the movement of these units is an unmatched deposit: it was read before its memo was known. */
export async function isUnmatched(reader: Reader, hash: string, units: bigint): Promise<boolean> {
  const { rows } = await reader.query<{ is_unmatched: boolean | null }>(
    'SELECT bool_and(state = $3) AS is_unmatched FROM pi_records WHERE transaction = $1 AND units = $2 AND state <> $4',
    [hash, units, 'unmatched', 'gone'],
  );
  return rows[0]?.is_unmatched ?? false;
}
