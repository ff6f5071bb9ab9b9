import type { Tx } from '../../../kit/db/db.ts';
import type { ReusableOwner } from '../../owner.ts';
import type { Observation, Outflow, UnmatchedDeposit } from '../../rail.ts';
import { type Group, type Outbox, postponeSql, type Report, sharedRowsAtMost } from '../../report.ts';
import { type PiCode, type PiConfig, piCodeOf } from '../horizon/network.ts';
import { indexOf } from './movement.ts';
import type { RecordRow } from './records.ts';

/** The order that a transaction carries out; null: somebody else with the key signed it. */
export type SendOf = (tx: Tx, transaction: string) => Promise<string | null>;

/** The records of an owner are one group; so are the records of a transaction that have no owner. */
const group = 'coalesce(owner_id::text, transaction)';
const isDue = (test: string) =>
  `reported_state IS DISTINCT FROM state AND (report_after IS NULL OR report_after <= $1) AND is_test = ${test}`;
/** Whether it is a deposit for a payment, and nothing else. */
const isOfPayment = `direction = 'in' AND state <> 'unmatched' AND owner_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM pi_memos m WHERE m.owner_id = pi_records.owner_id AND m.owner_kind <> 'payment')`;
/** Final records go first: booking them locks all accounts that the others of their group need too. */
const order = `(state = 'final') DESC, paging_token`;

/** The records of movements into and out of the custody account of a mode, by payment or transaction. */
export function recordOutbox(pi: Pick<PiConfig, 'isTest'>, sendOf: SendOf): Outbox<RecordRow> {
  const { isTest = false } = pi;
  const rail = piCodeOf(pi);
  return {
    fields: { rail },
    async due(reader, now, atMost) {
      const { rows } = await reader.query<Group>(
        `SELECT ${group} AS name, bool_and(${isOfPayment}) AND count(*) <= ${sharedRowsAtMost} AS "isShared" FROM pi_records WHERE ${isDue('$3')}
         GROUP BY 1 ORDER BY min(paging_token) LIMIT $2`,
        [now, atMost, isTest],
      );
      return rows;
    },
    async lock(tx, names, now, atMost) {
      const { rows } = await tx.query<RecordRow>(
        `SELECT paging_token, transaction, direction, units, counterparty, memo_type, memo, muxed_id, owner_id,
           (SELECT owner_kind FROM pi_memos m WHERE m.owner_id = r.owner_id LIMIT 1) AS owner_kind, state, fee, ledger_id, fee_ledger_id, least(at, read_at) AS at, reported_state
         FROM pi_records r WHERE ${isDue('$4')} AND ${group} = ANY ($2) ORDER BY ${order} LIMIT $3 FOR UPDATE`,
        [now, names, atMost, isTest],
      );
      return rows;
    },
    async reportsOf(tx, stored, now) {
      const row = { ...stored, rail };
      if (row.direction === 'out') return [{ kind: 'outflow', outflow: await outflowOf(tx, row, sendOf) }];
      const { owner_id: id, owner_kind: kind } = row;
      if (id !== null && (kind === 'top-up' || kind === 'user')) return [arrivalReport(row, { kind, id })];
      if (row.state !== 'unmatched' && row.state !== 'out')
        return [transferReport(row, row.state === 'held' ? 'seen' : row.state, now)];
      const unmatched: Report = { kind: 'unmatched', deposit: unmatchedOf(row) };
      const wasReported = row.reported_state !== null && row.owner_id !== null;
      return wasReported ? [transferReport(row, 'gone', now), unmatched] : [unmatched];
    },
    async noteReported(tx, rows) {
      await tx.query({
        name: 'note-pi-reported',
        text: `UPDATE pi_records r SET reported_state = state, report_faults = 0, report_after = NULL
               FROM unnest($1::text[], $2::numeric[]) AS k (transaction, paging_token)
               WHERE r.transaction = k.transaction AND r.paging_token = k.paging_token`,
        values: [rows.map(({ transaction }) => transaction), rows.map(({ paging_token }) => paging_token)],
      });
    },
    async postpone(reader, { transaction, paging_token }, now) {
      await reader.query(
        `UPDATE pi_records SET ${postponeSql('$3')} WHERE transaction = $1 AND paging_token = $2`,
        [transaction, paging_token, now],
      );
    },
  };
}

/** A record, and the rail of the network that shows it. */
type RailRow = RecordRow & { rail: PiCode };

const keyOf = ({ transaction, paging_token }: RecordRow): string => `${transaction}:${indexOf(paging_token)}`;

/** A ledger of Pi is final when it is read. A movement that was read wrong is gone. */
function arrivalReport(row: RailRow, owner: ReusableOwner): Report {
  const { ledger_id: ledgerId, transaction, units, counterparty: sender, at } = row;
  const state = row.state === 'gone' ? 'gone' : 'final';
  const shared = { rail: row.rail, key: keyOf(row), ledgerId, owner, transaction, asset: row.rail, units };
  return { kind: 'arrival', arrival: { ...shared, sender, state, at } };
}

function transferReport(row: RailRow, state: Observation['state'], now: Date): Report {
  const { owner_id: paymentId, transaction, units, counterparty, at, reported_state } = row;
  if (paymentId === null) throw new Error(`The movement ${keyOf(row)} is of no payment`);
  return {
    kind: 'transfer',
    seen: {
      rail: row.rail,
      key: keyOf(row),
      paymentId,
      transaction,
      asset: row.rail,
      units,
      state,
      confirmations: state === 'final' ? 1 : 0,
      needed: 1,
      takenAt: at,
      sender: counterparty,
    },
    // The first report counts from the time when its ledger took it, whatever happened since then.
    at: reported_state === null && at < now ? at : now,
    isBooked: state === 'final' || reported_state === 'final',
  };
}

function unmatchedOf(row: RailRow): UnmatchedDeposit {
  return {
    rail: row.rail,
    key: keyOf(row),
    ledgerId: row.ledger_id,
    transaction: row.transaction,
    asset: row.rail,
    units: row.units,
    sender: row.counterparty,
    memo: markOf(row),
    at: row.at,
  };
}

/** The memo, with its kind unless it is text; without one, the number of the part of the account. */
function markOf({ memo_type, memo, muxed_id }: RecordRow): string | null {
  if (memo === null) return muxed_id === null ? null : `M… ${muxed_id}`;
  return memo_type === 'text' ? memo : `${memo} (${memo_type})`;
}

async function outflowOf(tx: Tx, row: RailRow, sendOf: SendOf): Promise<Outflow> {
  const { transaction, paging_token } = row;
  // A transaction that moved nothing carries out no order.
  const sendId = row.units > 0n ? await sendOf(tx, transaction) : null;
  if (sendId !== null) {
    await tx.query('UPDATE pi_records SET send_id = $3 WHERE transaction = $1 AND paging_token = $2', [
      transaction,
      paging_token,
      sendId,
    ]);
  }
  return {
    rail: row.rail,
    key: keyOf(row),
    ledgerId: row.ledger_id,
    feeLedgerId: row.fee_ledger_id,
    transaction,
    asset: row.rail,
    units: row.units,
    fee: row.fee,
    sendId,
    to: row.counterparty,
    at: row.at,
  };
}
