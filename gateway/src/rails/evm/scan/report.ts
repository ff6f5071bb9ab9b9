import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import { type Database, isConflict, isLockTimeout, type Tx, transaction } from '../../../kit/db/db.ts';
import type { Observation, Sweep } from '../../rail.ts';
import { type ChainConfig, type Hex, railOf } from '../config/chains.ts';

/** Takes what the rail saw of a transfer to a payment; `assets`: of all that this transaction tells it to book. */
export type Report = (tx: Tx, seen: Observation, at: Date, assets: readonly string[]) => Promise<unknown>;
/** Takes what the rail saw of a sweep. */
export type ReportSweep = (tx: Tx, sweep: Sweep) => Promise<unknown>;

export type Reporting = {
  db: Database;
  chain: ChainConfig;
  report: Report;
  reportSweep: ReportSweep;
  now: Clock;
  log: Logger;
};

/** Payments of one round, and transfers of one payment; what is left is for the next. */
const paymentsAtMost = 200;
const transfersAtMost = 50;
/** 1 for a transfer whose state was told. */
const isOld = '(state IS NOT DISTINCT FROM reported_state)::integer';
const atOnce = 4;
const longestPauseSeconds = 300;

type Row = {
  block_hash: Hex;
  log_index: number;
  transaction: string;
  kind: 'deposit' | 'sweep';
  asset: string;
  sender: string;
  payment_id: string;
  units: bigint;
  state: 'seen' | 'final' | 'gone';
  confirmations: number;
  ledger_id: string;
  /** The time of its block; of a row that an old version wrote, when it was seen. */
  taken_at: Date;
  reported_state: Row['state'] | null;
};

/**
 * Tells payments what changed since they were last told: each payment in a transaction of its own, in which it is
 * noted as told. One that fails waits a while and holds up no other, nor does one with dust by the thousand: what
 * is new goes before what has only more confirmations. Answers whether there may be more.
 */
export async function reportChanges(reporting: Reporting): Promise<boolean> {
  const { db, chain, now } = reporting;
  const { rows } = await db.query<{ payment_id: string }>(
    `SELECT payment_id FROM evm_transfers
     WHERE chain_id = $1 AND unreported AND (report_after IS NULL OR report_after <= $2)
     GROUP BY payment_id
     ORDER BY min(${isOld}), min(block_number), min(log_index) LIMIT $3`,
    [chain.id, now(), paymentsAtMost],
  );
  const payments = rows.map(({ payment_id }) => payment_id);
  let isMore = rows.length === paymentsAtMost;
  const lanes = Array.from({ length: atOnce }, async () => {
    for (let payment = payments.shift(); payment; payment = payments.shift()) {
      if ((await reportPayment(reporting, payment)) === transfersAtMost) isMore = true;
    }
  });
  await Promise.all(lanes);
  return isMore;
}

/** Answers how many transfers it told of; as many as it may where it is to be asked again at once. */
async function reportPayment(reporting: Reporting, paymentId: string): Promise<number> {
  try {
    return await transaction(reporting.db, (tx) => tellPayment(tx, reporting, paymentId));
  } catch (error) {
    const { chain, log } = reporting;
    if (isConflict(error) || isLockTimeout(error)) {
      log.warn({ err: error, chain: chain.id, paymentId }, 'a transfer met other writes; it is told again');
      return transfersAtMost;
    }
    log.error({ err: error, chain: chain.id, paymentId }, 'a transfer could not be taken; it is tried again');
    await postpone(reporting, paymentId);
    return 0;
  }
}

async function tellPayment(tx: Tx, reporting: Reporting, paymentId: string): Promise<number> {
  const { chain, now } = reporting;
  const { rows } = await tx.query<Row>(
    `SELECT block_hash, log_index, transaction, kind, asset, sender, payment_id, units, state, confirmations,
       ledger_id, coalesce(block_at, seen_at) AS taken_at, reported_state
     FROM evm_transfers WHERE chain_id = $1 AND payment_id = $2 AND unreported
     ORDER BY ${isOld}, block_number, log_index LIMIT $3 FOR UPDATE`,
    [chain.id, paymentId, transfersAtMost],
  );
  const at = now();
  const assets = [...new Set(rows.filter(isBooked).map(({ asset }) => asset))];
  for (const row of rows) await tell(tx, reporting, row, at, assets);
  await tx.query(
    `UPDATE evm_transfers t SET reported_state = state, reported_confirmations = confirmations,
       report_faults = 0, report_after = NULL
     FROM unnest($2::text[], $3::integer[]) AS k (block_hash, log_index)
     WHERE t.chain_id = $1 AND t.block_hash = k.block_hash AND t.log_index = k.log_index`,
    [chain.id, rows.map(({ block_hash }) => block_hash), rows.map(({ log_index }) => log_index)],
  );
  return rows.length;
}

/** Whether telling of it moves money in the ledger, or may. */
const isBooked = ({ kind, state, reported_state }: Row): boolean =>
  kind === 'deposit' && (state === 'final' || reported_state === 'final');

async function tell(
  tx: Tx,
  { chain, report, reportSweep }: Reporting,
  row: Row,
  at: Date,
  assets: readonly string[],
): Promise<void> {
  const rail = railOf(chain.id);
  const { payment_id: paymentId, transaction: hash, asset, units, state, confirmations, sender } = row;
  if (row.kind === 'sweep') {
    if (state === 'seen') return;
    await reportSweep(tx, {
      rail,
      ledgerId: row.ledger_id,
      paymentId,
      transaction: hash,
      asset,
      units,
      state,
    });
    return;
  }
  const key = `${chain.id}:${row.block_hash}:${row.log_index}`;
  const needed = chain.confirmations;
  const takenAt = row.taken_at;
  // What is told for the first time belongs where the chain took it, whatever happened since then.
  const when = row.reported_state === null && takenAt < at ? takenAt : at;
  await report(
    tx,
    { rail, key, paymentId, transaction: hash, asset, units, state, confirmations, needed, sender, takenAt },
    when,
    assets,
  );
}

async function postpone({ db, chain, now }: Reporting, paymentId: string): Promise<void> {
  await db.query(
    `UPDATE evm_transfers SET report_faults = report_faults + 1,
       report_after = $3::timestamptz + least(2 ^ least(report_faults, 20), $4) * interval '1 second'
     WHERE chain_id = $1 AND payment_id = $2 AND unreported`,
    [chain.id, paymentId, now(), longestPauseSeconds],
  );
}
