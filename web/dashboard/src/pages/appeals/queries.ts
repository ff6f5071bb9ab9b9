import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { type Page, useList } from '../../api/list.ts';
import type { PaymentStatus } from '../../ui/display/status-badge.tsx';
import type { AppealReason, AppealsSearch } from './search.ts';

export type Author = 'merchant' | 'customer' | 'operator';

export type AppealSummary = {
  id: string;
  status: 'open' | 'closed';
  reason: AppealReason;
  /** `reorg`: nothing that came was left on its chain; `covered_again`: it came back, and nobody decided. */
  decision: 'accepted' | 'dispute_rejected' | 'returned' | 'reorg' | 'covered_again' | null;
  opened_at: string;
  closed_at: string | null;
  integration: { id: string; name: string };
  mode: 'test' | 'live';
  payment_id: string;
  payment_reference: string;
  currency: string;
  amount: string;
  amount_due: string;
  amount_received: string;
  customer: string | null;
  last_message: { author: Author; text: string; at: string } | null;
};

export type AssetAmount = { asset: string; network: string; amount: string };

/** The shares that the money has once the payment is completed. */
export type Shares = { receives: AssetAmount[]; fee: AssetAmount[]; surplus: AssetAmount[] };
/** What a decision would do with the money now; `refusal` says why it cannot be made now. */
export type Acceptance = Shares & { refusal: string | null };
export type RefundPlan = {
  refusal: string | null;
  to_network: AssetAmount[];
  to_wallet: AssetAmount[];
  owed: AssetAmount[];
  from_business: AssetAmount[];
  shortage: AssetAmount[];
  fee_given_up: AssetAmount[];
};

export type Evidence = {
  transaction: string;
  transaction_url: string | null;
  sender: string | null;
  sender_url: string | null;
  asset: string;
  network: string;
  amount: string;
  state: 'seen' | 'final' | 'gone';
  from_wallet: boolean;
  is_of_currency: boolean;
  seen_at: string;
  returned_at: string | null;
};

export type Message = { id: string; author: Author; name: string | null; text: string; at: string };

export type Appeal = AppealSummary & {
  payment_status: PaymentStatus;
  opened_from: PaymentStatus;
  fee: string;
  customer_email: string | null;
  deadline: string;
  decided_by: { as: 'merchant' | 'operator'; name: string | null } | null;
  note: string | null;
  transfers: Evidence[];
  claims: { kind: 'paid' | 'dispute'; content: string; at: string }[];
  messages: Message[];
  timeline: { at: string; status: PaymentStatus; reason: string | null }[];
  decisions: {
    accept: Acceptance | null;
    return: RefundPlan | null;
    /** `left`: what is settled with it because some of the money has left its chain; null: no money moves. */
    reject: { refusal: string | null; left: Shares | null } | null;
  };
};

/** Appeals below `base`, newest first. */
export function useAppeals(base: string, search: AppealsSearch): UseQueryResult<Page<AppealSummary>> {
  const { status, reason, cursor } = search;
  return useList<AppealSummary>(base, { status, reason, cursor });
}

const refreshMs = 10_000;

/** One appeal, read anew now and then, because somebody else may be answering. */
export function useAppeal(base: string, id: string): UseQueryResult<Appeal> {
  const path = `${base}/${id}`;
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api<Appeal>(path, { signal }),
    refetchInterval: refreshMs,
  });
}
