import { api } from '../../../api/client.ts';
import { type Page, useList, useRead } from '../../../api/list.ts';
import type { Approval } from '../../../api/session.ts';
import { useAct } from '../../../ui/toast/act.ts';

const root = '/console/operator';

export type MerchantLine = {
  id: string;
  name: string;
  created_at: string;
  suspended_at: string | null;
  members: number;
  integrations: number;
  approved: number;
  owner_email: string | null;
};

export type FeeTerms = { bps: number; fixed: string; floor: string; cap: string | null };

export type IntegrationLine = {
  id: string;
  name: string;
  approval: Approval;
  fee: FeeTerms;
  fee_payer: 'merchant' | 'customer';
  merchant_id: string | null;
  merchant_name: string | null;
  created_at: string;
};

export type MerchantDetail = {
  id: string;
  name: string;
  created_at: string;
  suspension: { since: string; reason: string } | null;
  members: { account_id: string; email: string; name: string; role: string }[];
  integrations: Page<IntegrationLine>;
};

export type FeeExample = { amount: string; fee: string; merchant_receives: string };
export type IntegrationBalance = { mode: 'test' | 'live'; asset: string; available: string; held: string };

type Find = { search: string | undefined; cursor: string | undefined };

export const useMerchants = (find: Find) => useList<MerchantLine>(`${root}/merchants`, find);
export const useIntegrations = (find: Find) => useList<IntegrationLine>(`${root}/integrations`, find);
export const useMerchantDetail = (id: string, cursor: string | undefined) =>
  useRead<MerchantDetail>(`${root}/merchants/${id}`, { cursor });
export const useIntegrationBalances = (id: string) =>
  useList<IntegrationBalance>(`${root}/integrations/${id}/balances`);

/** What a fee would be on a few amounts; the gateway counts, so that nobody is shown another sum than is taken. */
export const useFeeExamples = (terms: Record<keyof FeeTerms, string>) =>
  useRead<{ examples: FeeExample[] }>(`${root}/fee-examples`, terms);

export function sendFee(integrationId: string, terms: Record<keyof FeeTerms, string>): Promise<unknown> {
  const { bps, ...rest } = terms;
  const body = { bps: Number.parseInt(bps, 10), ...rest };
  return api(`${root}/integrations/${integrationId}/fee`, { method: 'PUT', body });
}

export const suspendMerchant = (id: string, reason: string) =>
  api(`${root}/merchants/${id}/suspend`, { body: { reason } });

export const useResumeMerchant = (id: string) =>
  useAct(() => api(`${root}/merchants/${id}/resume`, { method: 'POST' }), {
    changes: [`${root}/merchants`, `${root}/integrations`],
    done: 'The business may take live payments again.',
  });

/** What changes when a merchant or its integrations do. */
export const merchantPaths = [`${root}/merchants`, `${root}/integrations`];
