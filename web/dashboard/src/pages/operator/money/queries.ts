import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { type Page, useList, withQuery } from '../../../api/list.ts';
import type { PaymentStatus } from '../../../ui/display/status-badge.tsx';
import { useAct } from '../../../ui/toast/act.ts';
import type { LikelyMatch } from '../unmatched/queries.ts';

const root = '/console/operator';

export const ledgerKinds = [
  'business',
  'user',
  'suspense',
  'payable',
  'receivable',
  'fees',
  'external',
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

export type AssetTotals = {
  mode: 'test' | 'live';
  asset: string;
  currency: string | null;
  network: string | null;
  sum: string;
} & Record<LedgerKind, string>;

export type SuspenseLine = {
  id: string;
  payment_id: string;
  reference: string;
  status: PaymentStatus;
  reason: string | null;
  mode: 'test' | 'live';
  integration_id: string;
  integration_name: string;
  currency: string;
  asset: string;
  amount: string;
  is_of_currency: boolean;
  transaction: string;
  transaction_url: string | null;
  sender: string | null;
  sender_url: string | null;
  arrived_at: string;
};

export type Receivable = {
  integration_id: string;
  integration_name: string;
  merchant_id: string | null;
  merchant_name: string | null;
  mode: 'test' | 'live';
  asset: string;
  amount: string;
};

/** Live money of one rail and asset, as the ledger has it. */
export type Holding = {
  rail: string;
  asset: string;
  currency: string | null;
  network: string | null;
  on_addresses: string;
  /** Of that, what operators have put there and not taken out again. */
  own_on_addresses: string;
  in_treasury: string;
};

export type OwedRefund = {
  id: string;
  reference: string;
  mode: 'test' | 'live';
  integration_id: string;
  integration_name: string;
  customer_email: string | null;
  asset: string;
  network: string | null;
  amount: string;
  transaction: string;
  transaction_url: string | null;
  sender: string | null;
  sender_url: string | null;
  created_at: string;
  state: 'requested' | 'sending';
  /** The gateway has a key for its network. */
  can_send: boolean;
  /** Where it was last ordered to go, and why that failed. */
  destination: string | null;
  memo: string | null;
  fault: string | null;
};

export type AuditRun = {
  id: string;
  asked_by: string;
  state: 'running' | 'clean' | 'faults' | 'failed' | 'lost';
  checks_done: number;
  checks_total: number;
  started_at: string;
  ended_at: string | null;
  report: {
    accounts: number;
    transfers: number;
    entries: number;
    findings: { check: string; subject: string; found: string }[];
  } | null;
  error: string | null;
};

export const useTotals = () => useList<AssetTotals>(`${root}/totals`);
export const useSuspense = (cursor: string | undefined) =>
  useList<SuspenseLine>(`${root}/suspense`, { cursor });
export const useMatches = (line: string) => useList<LikelyMatch>(`${root}/suspense/${line}/matches`);
export const useHoldings = () => useList<Holding>(`${root}/holdings`);
export const useOwedRefunds = (cursor: string | undefined) =>
  useList<OwedRefund>(`${root}/owed-refunds`, { cursor });
export const sendRefund = (id: string, body: { to: string; memo: string }) =>
  api(`${root}/owed-refunds/${id}/send`, { body });
/** What sending a refund changes. */
export const owedPaths = [`${root}/owed-refunds`, `${root}/totals`, `${root}/holdings`];
export const useReceivables = (cursor: string | undefined) =>
  useList<Receivable>(`${root}/receivables`, { cursor });

const runsPath = `${root}/ledger-audits`;
const watchMs = 1_000;

/** Audits that were asked for; looked at every second while one runs. */
export function useAuditRuns(cursor: string | undefined) {
  return useQuery({
    queryKey: [runsPath, { cursor }],
    queryFn: ({ signal }) => api<Page<AuditRun>>(withQuery(runsPath, { cursor }), { signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some((run) => run.state === 'running') ? watchMs : false,
  });
}

export const useStartAudit = () => useAct(() => api(runsPath, { method: 'POST' }), { changes: [runsPath] });
