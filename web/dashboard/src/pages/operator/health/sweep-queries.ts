import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { type Page, withQuery } from '../../../api/list.ts';

/** A transaction that moves deposits to the treasury. */
export type Sweep = {
  id: string;
  chain: string;
  nonce: number;
  deposits: number;
  /** null: a token that is not listed, whose amount is in `unit`. */
  asset: string | null;
  amount: string;
  unit: string | null;
  transaction: string;
  /** On a block explorer, where there is one. */
  transaction_url: string | null;
  state: 'prepared' | 'sent' | 'mined' | 'final' | 'failed' | 'replaced';
  succeeded: boolean | null;
  gas_paid: string | null;
  fault: string | null;
  created_at: string;
};

/** What pays for gas on a chain, and what keeps it from that. */
export type SweepLane = {
  chain: string;
  gas_key: string | null;
  gas_balance: string | null;
  faults: string[];
  planned_at: string | null;
};

/** A deposit that could not be moved. */
export type LeftBehind = {
  chain: string;
  asset: string;
  address: string;
  reason: string;
  tries: number;
  retry_at: string;
};

export type Sweeps = Page<Sweep> & { lanes: SweepLane[]; left_behind: LeftBehind[] };

const path = '/console/operator/sweeps';
const lookMs = 5_000;

/** Looked at anew while it is open, because sweeps go on by themselves. */
export function useSweeps(cursor: string | undefined): UseQueryResult<Sweeps> {
  const query = { cursor };
  return useQuery({
    queryKey: [path, query],
    queryFn: ({ signal }) => api<Sweeps>(withQuery(path, query), { signal }),
    refetchInterval: lookMs,
  });
}
