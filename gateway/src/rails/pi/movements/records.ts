import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import { type Database, type Reader, type Tx, transaction } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import type { Observation, Outflow, UnmatchedDeposit } from '../../rail.ts';
import { piAsset, piRail } from '../horizon/network.ts';
import { markedPayment } from '../memos/memos.ts';
import { standingOf } from './confirmed.ts';
import { indexOf, type Movement } from './movement.ts';

/** Who takes what the rail saw, in the transaction that notes it as told. */
export type Reports = {
  transfer(tx: Tx, seen: Observation, at: Date): Promise<unknown>;
  unmatched(tx: Tx, deposit: UnmatchedDeposit): Promise<unknown>;
  outflow(tx: Tx, outflow: Outflow): Promise<unknown>;
};

export type Telling = {
  reports: Reports;
  /** The order that a transaction of ours carries out; null: somebody else who has the key signed it. */
  sendOf(tx: Tx, transaction: string): Promise<string | null>;
  now: Clock;
};

/** A movement as it is kept. */
export type RecordRow = {
  paging_token: bigint;
  transaction: string;
  direction: 'in' | 'out';
  units: bigint;
  counterparty: string;
  memo_type: string;
  memo: string | null;
  muxed_id: bigint | null;
  payment_id: string | null;
  state: 'held' | 'final' | 'stray' | 'out';
  fee: bigint;
  ledger_id: string;
  fee_ledger_id: string;
  at: Date;
  read_at: Date;
  told_state: RecordRow['state'] | null;
};

const columns = `paging_token, transaction, direction, units, counterparty, memo_type, memo, muxed_id, payment_id,
  state, fee, ledger_id, fee_ledger_id, at, read_at, told_state`;

const insertSql = `
INSERT INTO pi_records (paging_token, transaction, account, direction, type, units, counterparty, memo_type, memo,
  muxed_id, payment_id, state, fee, ledger_id, fee_ledger_id, at, read_at)
SELECT $1, $2::text, $3, $4, $5, $6::numeric, $7, $8, $9, $10, $11, $12, borne.fee, $14, $15, $16, $17
FROM (SELECT CASE WHEN EXISTS (SELECT FROM pi_records WHERE transaction = $2::text AND fee > 0)
  THEN 0 ELSE $13::numeric END AS fee) borne
WHERE $6::numeric > 0 OR borne.fee > 0
ON CONFLICT DO NOTHING
RETURNING ${columns}`;

/**
 * Notes a movement for whomever it is; nothing where there is nothing to note: it was noted before, or all it did was
 * to cost its transaction's fee, which another operation bears. The caller holds the account's row, so that no two of
 * one transaction bear its fee.
 */
export async function noteMovement(
  tx: Tx,
  account: string,
  movement: Movement,
  now: Date,
): Promise<RecordRow[]> {
  const rows = await insertRecord(tx, account, movement, now);
  if (movement.direction === 'out' || movement.fee === 0n) return rows;
  // Somebody else's operation paid us in a transaction of ours: the fee stands where the transaction itself does.
  const token = movement.token - indexOf(movement.token);
  const cost = { ...movement, token, direction: 'out', units: 0n, counterparty: account } as const;
  return [...(await insertRecord(tx, account, cost, now)), ...rows];
}

async function insertRecord(tx: Tx, account: string, movement: Movement, now: Date): Promise<RecordRow[]> {
  const { token, direction, type, units, counterparty, memoType, memo, muxedId, at } = movement;
  const fee = direction === 'in' ? 0n : movement.fee;
  const whose = direction === 'in' ? await whoseIs(tx, movement, now) : outgoing;
  const { rows } = await tx.query<RecordRow>({
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
      whose.paymentId,
      whose.state,
      fee,
      newId(now),
      newId(now),
      at,
      now,
    ],
  });
  return rows;
}

type Whose = { paymentId: string | null; state: RecordRow['state'] };

const outgoing: Whose = { paymentId: null, state: 'out' };
const nobodys: Whose = { paymentId: null, state: 'stray' };

async function whoseIs(tx: Tx, movement: Movement, now: Date): Promise<Whose> {
  const marked = await markedPayment(tx, movement);
  if (!marked) return nobodys;
  const { paymentId } = marked;
  if (marked.kind === 'transfer') return { paymentId, state: 'final' };
  const arrival = { identifier: marked.memo, transaction: movement.transaction, units: movement.units };
  const state = await standingOf(tx, arrival, now);
  return state === 'stray' ? nobodys : { paymentId, state };
}

/** Tells what came of a movement, and notes that it was told. */
export async function tell(tx: Tx, telling: Telling, row: RecordRow): Promise<void> {
  const { reports } = telling;
  let sendId: string | null = null;
  if (row.direction === 'out') {
    // What moved nothing carries no order out.
    sendId = row.units > 0n ? await telling.sendOf(tx, row.transaction) : null;
    await reports.outflow(tx, outflowOf(row, sendId));
  } else if (row.state === 'stray') {
    if (row.told_state !== null && row.payment_id !== null) {
      await reports.transfer(tx, observationOf(row, row.payment_id, 'gone'), telling.now());
    }
    await reports.unmatched(tx, unmatchedOf(row));
  } else {
    const isFirst = row.told_state === null;
    const seen = observationOf(row, row.payment_id!, row.state === 'final' ? 'final' : 'seen');
    const now = telling.now();
    // What is told for the first time belongs where its ledger took it, whatever happened since then.
    await reports.transfer(tx, seen, isFirst && row.at < now ? row.at : now);
  }
  await tx.query({
    name: 'note-pi-told',
    text: `UPDATE pi_records SET told_state = state, send_id = $3, tell_faults = 0, tell_after = NULL
           WHERE transaction = $1 AND paging_token = $2`,
    values: [row.transaction, row.paging_token, sendId],
  });
}

const keyOf = ({ transaction, paging_token }: RecordRow): string => `${transaction}:${indexOf(paging_token)}`;

function observationOf(row: RecordRow, paymentId: string, state: Observation['state']): Observation {
  return {
    rail: piRail,
    key: keyOf(row),
    paymentId,
    transaction: row.transaction,
    asset: piAsset,
    units: row.units,
    state,
    confirmations: state === 'final' ? 1 : 0,
    needed: 1,
    takenAt: row.at,
    sender: row.counterparty,
  };
}

function unmatchedOf(row: RecordRow): UnmatchedDeposit {
  return {
    rail: piRail,
    key: keyOf(row),
    ledgerId: row.ledger_id,
    transaction: row.transaction,
    asset: piAsset,
    units: row.units,
    sender: row.counterparty,
    memo: markOf(row),
    at: row.at,
  };
}

/** A memo of another kind than text says which; without one, the number of the part that it was sent to. */
function markOf({ memo_type, memo, muxed_id }: RecordRow): string | null {
  if (memo === null) return muxed_id === null ? null : `M… ${muxed_id}`;
  return memo_type === 'text' ? memo : `${memo} (${memo_type})`;
}

function outflowOf(row: RecordRow, sendId: string | null): Outflow {
  return {
    rail: piRail,
    key: keyOf(row),
    ledgerId: row.ledger_id,
    feeLedgerId: row.fee_ledger_id,
    transaction: row.transaction,
    asset: piAsset,
    units: row.units,
    fee: row.fee,
    sendId,
    to: row.counterparty,
    at: row.at,
  };
}

/**
 * Settles what is held with an identifier of the Pi platform as its memo, and tells it: what the `confirmed`
 * transaction moved is its payment's, any other is nobody's. `null`: all of it is nobody's. Before it, the memo is
 * locked, and what the platform said is noted, so that what is read at the same time finds it. Answers whether there
 * was anything.
 */
export async function settleHeld(
  tx: Tx,
  telling: Telling,
  identifier: string,
  confirmed: string | null,
): Promise<boolean> {
  const { rows } = await tx.query<RecordRow>(
    `UPDATE pi_records SET state = CASE WHEN transaction = $2 THEN 'final' ELSE 'stray' END
     WHERE memo = $1 AND state = 'held' RETURNING ${columns}`,
    [identifier, confirmed],
  );
  // Telling of what is final locks all accounts that the others need too.
  const isFinal = ({ state }: RecordRow) => state === 'final';
  for (const row of [...rows.filter(isFinal), ...rows.filter((each) => !isFinal(each))])
    await tell(tx, telling, row);
  return rows.length > 0;
}

/** Whether what moved these units was read and is nobody's: it came before anybody knew its memo. */
export async function isUnmatched(reader: Reader, hash: string, units: bigint): Promise<boolean> {
  const { rows } = await reader.query<{ is_unmatched: boolean | null }>(
    'SELECT bool_and(state = $3) AS is_unmatched FROM pi_records WHERE transaction = $1 AND units = $2',
    [hash, units, 'stray'],
  );
  return rows[0]?.is_unmatched ?? false;
}

const atOnce = 100;
const longestPauseSeconds = 300;

/**
 * Tells again what could not be told, each in a transaction of its own: what fails waits, the longer the more often,
 * and holds up nothing else. Any number of processes may do so.
 */
export async function tellUntold(db: Database, telling: Telling, log: Logger): Promise<void> {
  const { rows } = await db.query<Pick<RecordRow, 'transaction' | 'paging_token'>>(
    `SELECT transaction, paging_token FROM pi_records
     WHERE told_state IS DISTINCT FROM state AND (tell_after IS NULL OR tell_after <= $1)
     ORDER BY paging_token LIMIT $2`,
    [telling.now(), atOnce],
  );
  for (const { transaction: hash, paging_token } of rows) {
    try {
      await transaction(db, (tx) => tellOne(tx, telling, hash, paging_token));
    } catch (error) {
      log.error({ err: error, transaction: hash }, 'a movement of PI could not be taken; it is tried again');
      await postpone(db, hash, paging_token, telling.now());
    }
  }
}

async function tellOne(tx: Tx, telling: Telling, hash: string, token: bigint): Promise<void> {
  const { rows } = await tx.query<RecordRow>(
    `SELECT ${columns} FROM pi_records
     WHERE transaction = $1 AND paging_token = $2 AND told_state IS DISTINCT FROM state FOR UPDATE SKIP LOCKED`,
    [hash, token],
  );
  if (rows[0]) await tell(tx, telling, rows[0]);
}

/** Leaves a movement that could not be told alone for a while. */
export async function postpone(
  reader: Pick<Database, 'query'>,
  hash: string,
  token: bigint,
  now: Date,
): Promise<void> {
  await reader.query(
    `UPDATE pi_records SET tell_faults = tell_faults + 1,
       tell_after = $3::timestamptz + least(2 ^ least(tell_faults, 20), $4) * interval '1 second'
     WHERE transaction = $1 AND paging_token = $2`,
    [hash, token, now, longestPauseSeconds],
  );
}
