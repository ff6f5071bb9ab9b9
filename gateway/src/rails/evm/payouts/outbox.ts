import type { SendReport } from '../../rail.ts';
import { type Outbox, postponeSql, type Report } from '../../report.ts';
import { type ChainConfig, railOf } from '../config/chains.ts';

type State = 'queued' | 'signed' | 'paid' | 'failed';

type OrderRow = {
  id: string;
  state: State;
  reported_state: State;
  fault: string | null;
  transaction: string | null;
};

/** The orders of a chain whose state or fault is not reported; each is a group of its own. */
export function payoutOutbox({ id: chainId }: Pick<ChainConfig, 'id'>): Outbox<OrderRow> {
  return {
    fields: { chain: chainId },
    async due(reader, now, atMost) {
      const { rows } = await reader.query<{ id: string }>(
        `SELECT id FROM evm_payouts
         WHERE chain_id = $1 AND unreported AND (report_after IS NULL OR report_after <= $2)
         ORDER BY created_at, id LIMIT $3`,
        [chainId, now, atMost],
      );
      return rows.map(({ id }) => ({ name: id, isShared: false }));
    },
    async lock(tx, ids, now) {
      const { rows } = await tx.query<OrderRow>(
        `SELECT p.id, p.state, p.reported_state, p.fault,
           coalesce(p.paid_by, (SELECT coalesce(t.hash, a.hash) FROM evm_transactions t
             JOIN evm_attempts a ON a.transaction_id = t.id
             WHERE t.id = p.transaction_id ORDER BY a.max_fee DESC LIMIT 1)) AS transaction
         FROM evm_payouts p
         WHERE p.id = ANY ($1::uuid[]) AND p.unreported AND (p.report_after IS NULL OR p.report_after <= $2) FOR UPDATE OF p`,
        [ids, now],
      );
      return rows;
    },
    reportsOf: async (_, row, now) => reportsOf(chainId, row, now),
    async noteReported(tx, rows) {
      await tx.query(
        `UPDATE evm_payouts SET reported_state = state, reported_fault = fault, report_faults = 0, report_after = NULL
         WHERE id = ANY ($1::uuid[])`,
        [rows.map(({ id }) => id)],
      );
    },
    async postpone(reader, { id }, now) {
      await reader.query(`UPDATE evm_payouts SET ${postponeSql('$2')} WHERE id = $1 AND unreported`, [
        id,
        now,
      ]);
    },
  };
}

/** An order that was reported as paid and no longer is gets `undone` first, and then the report of its state. */
function reportsOf(chainId: number, row: OrderRow, at: Date): Report[] {
  const { id, state, reported_state: before, fault: why, transaction } = row;
  const report = (state: SendReport['state']): Report => ({
    kind: 'send',
    report: {
      rail: railOf(chainId),
      id,
      state,
      transaction: state === 'waiting' || state === 'failed' ? null : transaction,
      why: state === 'waiting' || state === 'failed' ? why : null,
      at,
    },
  });
  const undone = before === 'paid' && state !== 'paid' ? [report('undone')] : [];
  // It is under way again, which `undone` says already.
  if (undone.length > 0 && state === 'signed') return undone;
  const now = { queued: 'waiting', signed: 'sending', paid: 'sent', failed: 'failed' } as const;
  return [...undone, report(now[state])];
}
