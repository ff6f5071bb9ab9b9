import type { Registry } from 'prom-client';
import type { Reader } from '../../../kit/db/db.ts';
import { registerGauge, type Sample } from '../../../kit/db/gauge.ts';

/** The state of sweeping, for Prometheus: every process reports the same, from the database. */
export function createSweepMetrics(registry: Registry, reader: Reader): void {
  const gauge = (name: string, help: string, labelNames: string[], sql: string) =>
    registerGauge(registry, {
      name: `florin_sweeps_${name}`,
      help,
      labelNames,
      read: async () => (await reader.query<Sample>(sql)).rows,
    });

  gauge(
    'transactions',
    'Sweeps by how they stand, ever: prepared, sent, mined, final, failed or replaced.',
    ['chain', 'state'],
    `SELECT json_build_object('chain', 'evm:' || chain_id, 'state', state) AS labels, count(*)::float8 AS value
     FROM evm_transactions WHERE kind = 'sweep' GROUP BY chain_id, state`,
  );
  gauge(
    'gas_paid_coins',
    'Native coins that mined sweeps paid for gas.',
    ['chain'],
    `SELECT json_build_object('chain', 'evm:' || chain_id) AS labels,
       (sum(gas_used * gas_price) / 1e18)::float8 AS value
     FROM evm_transactions WHERE kind = 'sweep' AND gas_used IS NOT NULL GROUP BY chain_id`,
  );
  gauge(
    'gas_key_coins',
    'Native coins that the gas key holds.',
    ['chain'],
    `SELECT json_build_object('chain', 'evm:' || chain_id) AS labels, (gas_balance / 1e18)::float8 AS value
     FROM evm_senders WHERE gas_balance IS NOT NULL`,
  );
  gauge(
    'left_behind',
    'Deposits that could not be moved and are tried again later.',
    ['chain'],
    `SELECT json_build_object('chain', 'evm:' || chain_id) AS labels, count(*)::float8 AS value
     FROM evm_sweep_faults GROUP BY chain_id`,
  );
}
