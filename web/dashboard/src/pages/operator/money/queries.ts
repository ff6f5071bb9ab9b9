import { useQuery } from '@tanstack/react-query';
import type {
  AssetTotals,
  AuditRun,
  Receivable,
} from '../../../../../../gateway/src/ledger/console-answers.ts';
import type {
  Holding,
  OwedOverpayment,
  OwedRefund,
  SuspenseLine,
} from '../../../../../../gateway/src/payments/api/console-answers/operators.ts';
import type {
  FeeView as Fee,
  FeeWithdrawalView as FeeWithdrawal,
} from '../../../../../../gateway/src/payouts/api/console-fee-answers.ts';
import type {
  ReservesView,
  ReserveView,
} from '../../../../../../gateway/src/treasury/reserves/console-answers.ts';
import { api } from '../../../api/client.ts';
import { type Page, useList, withQuery } from '../../../api/list.ts';
import { isSome } from '../../../format/decimals.ts';
import { useAct } from '../../../ui/toast/act.ts';
import type { Outcome } from '../../../ui/toast/done.ts';
import { isOpen } from '../../payouts/queries.ts';
import type { LikelyMatch } from '../unmatched/queries.ts';

export type {
  AssetTotals,
  AuditRun,
  Fee,
  FeeWithdrawal,
  Holding,
  OwedOverpayment,
  OwedRefund,
  Receivable,
  ReservesView,
  ReserveView,
  SuspenseLine,
};

const root = '/console/operator';

export const ledgerKinds = [
  'business',
  'user',
  'suspense',
  'payable',
  'receivable',
  'direct',
  'fees',
  'external',
] as const satisfies readonly (keyof AssetTotals)[];
export type LedgerKind = (typeof ledgerKinds)[number];

export const useTotals = () => useList<AssetTotals>(`${root}/totals`);
export const useSuspense = (cursor: string | undefined) =>
  useList<SuspenseLine>(`${root}/suspense`, { cursor });
export const useMatches = (line: string) => useList<LikelyMatch>(`${root}/suspense/${line}/matches`);
export const useHoldings = () => useList<Holding>(`${root}/holdings`);
export type FeeOrder = { asset: string; amount: string; to: string; memo?: string };
export const useFees = () => useList<Fee>(`${root}/fees`, {}, ({ leaving }) => isSome(leaving));
export const useFeeWithdrawals = (cursor: string | undefined) =>
  useList<FeeWithdrawal>(`${root}/fee-withdrawals`, { cursor }, isOpen);
export const withdrawFees = (body: FeeOrder, idempotencyKey: string) =>
  api<Outcome<Pick<FeeWithdrawal, 'id' | 'status'>>>(`${root}/fee-withdrawals`, { body, idempotencyKey });
export const cancelFees = (id: string) => api(`${root}/fee-withdrawals/${id}/cancel`, { method: 'POST' });
/** What a withdrawal of fees changes. */
export const feePaths = [`${root}/fees`, `${root}/fee-withdrawals`, `${root}/totals`];
const compareMs = 30_000;
/** They are compared every ten minutes, and sooner where something was missing. */
export const useReserves = () =>
  useQuery({
    queryKey: [`${root}/reserves`],
    queryFn: ({ signal }) => api<ReservesView>(`${root}/reserves`, { signal }),
    refetchInterval: compareMs,
  });
export const useOwedRefunds = (cursor: string | undefined) =>
  useList<OwedRefund>(`${root}/owed-refunds`, { cursor });
export const useOwedOverpayments = (cursor: string | undefined) =>
  useList<OwedOverpayment>(`${root}/owed-overpayments`, { cursor });
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
