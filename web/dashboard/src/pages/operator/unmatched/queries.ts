import type {
  AssignedDeposit,
  DepositMatch,
  LikelyMatch,
  Proof,
  UnmatchedDeposit,
  UnmatchedState,
} from '../../../../../../gateway/src/payments/api/console-answers/operators.ts';
import { api } from '../../../api/client.ts';
import { useList } from '../../../api/list.ts';
import type { Outcome } from '../../../ui/toast/done.ts';

export type { DepositMatch, LikelyMatch, Proof, UnmatchedDeposit, UnmatchedState };

const path = '/console/operator/strays';

/** The reads that are stale after a decision about a deposit. */
export const depositPaths = [
  path,
  ...['suspense', 'totals', 'holdings'].map((name) => `/console/operator/${name}`),
];

export const useDeposits = (state: 'open' | 'decided', cursor: string | undefined) =>
  useList<UnmatchedDeposit>(path, { state, cursor });
export const useDepositMatches = (id: string) => useList<DepositMatch>(`${path}/${id}/matches`);

export const assignUnmatched = (id: string, body: { payment_reference: string; reason: string }) =>
  api<Outcome<AssignedDeposit>>(`${path}/${id}/assign`, { body });
export const keepUnmatched = (id: string, body: { reason: string }) => api(`${path}/${id}/keep`, { body });
export const returnDeposit = (id: string, body: { to: string; memo: string; reason: string }) =>
  api(`${path}/${id}/send-back`, { body });
