import { type Outbox, postponeSql, type Report } from '../../report.ts';
import { type ChainConfig, type Hex, railOf } from '../config/chains.ts';

/** A transfer that is not reported in its present state. */
export type TransferRow = {
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
  reported_state: TransferRow['state'] | null;
};

/** 1 for a transfer whose state was reported, and whose confirmations alone are new. */
const isOld = '(state IS NOT DISTINCT FROM reported_state)::integer';
const isDue = 'unreported AND (report_after IS NULL OR report_after <= $2)';

/**
 * The transfers of a chain, by payment. New states go before what has only more confirmations, so that a payment with
 * dust by the thousand holds up no other.
 */
export function transferOutbox(chain: ChainConfig): Outbox<TransferRow> {
  return {
    fields: { chain: chain.id },
    async due(reader, now, atMost) {
      const { rows } = await reader.query<{ payment_id: string }>(
        `SELECT payment_id FROM evm_transfers WHERE chain_id = $1 AND ${isDue} GROUP BY payment_id
         ORDER BY min(${isOld}), min(block_number), min(log_index) LIMIT $3`,
        [chain.id, now, atMost],
      );
      return rows.map(({ payment_id }) => payment_id);
    },
    async lock(tx, paymentId, now, atMost) {
      const { rows } = await tx.query<TransferRow>(
        `SELECT block_hash, log_index, transaction, kind, asset, sender, payment_id, units, state, confirmations,
           ledger_id, coalesce(block_at, seen_at) AS taken_at, reported_state
         FROM evm_transfers WHERE chain_id = $1 AND ${isDue} AND payment_id = $3
         ORDER BY ${isOld}, block_number, log_index LIMIT $4 FOR UPDATE`,
        [chain.id, now, paymentId, atMost],
      );
      return rows;
    },
    reportsOf: async (_tx, row, now) => [
      row.kind === 'sweep' ? sweepReport(chain, row) : depositReport(chain, row, now),
    ],
    async noteReported(tx, rows) {
      await tx.query(
        `UPDATE evm_transfers t SET reported_state = state, reported_confirmations = confirmations,
           report_faults = 0, report_after = NULL
         FROM unnest($2::text[], $3::integer[]) AS k (block_hash, log_index)
         WHERE t.chain_id = $1 AND t.block_hash = k.block_hash AND t.log_index = k.log_index`,
        [chain.id, rows.map(({ block_hash }) => block_hash), rows.map(({ log_index }) => log_index)],
      );
    },
    async postpone(reader, { block_hash, log_index }, now) {
      await reader.query(
        `UPDATE evm_transfers SET ${postponeSql('$4')}
         WHERE chain_id = $1 AND block_hash = $2 AND log_index = $3 AND unreported`,
        [chain.id, block_hash, log_index, now],
      );
    },
  };
}

function sweepReport(chain: ChainConfig, row: TransferRow): Report {
  const { ledger_id: ledgerId, payment_id: paymentId, transaction, asset, units, state } = row;
  if (state === 'seen') throw new Error(`The sweep ${transaction} is reported before it is final`);
  return {
    kind: 'sweep',
    sweep: { rail: railOf(chain.id), ledgerId, paymentId, transaction, asset, units, state },
  };
}

function depositReport(chain: ChainConfig, row: TransferRow, now: Date): Report {
  const { block_hash, log_index, transaction, asset, units, state, confirmations, sender } = row;
  const { payment_id: paymentId, taken_at: takenAt, reported_state: reported } = row;
  return {
    kind: 'transfer',
    seen: {
      rail: railOf(chain.id),
      key: `${chain.id}:${block_hash}:${log_index}`,
      paymentId,
      transaction,
      asset,
      units,
      state,
      confirmations,
      needed: chain.confirmations,
      sender,
      takenAt,
    },
    // What is reported for the first time belongs where the chain took it, whatever happened since then.
    at: reported === null && takenAt < now ? takenAt : now,
    isBooked: state === 'final' || reported === 'final',
  };
}
