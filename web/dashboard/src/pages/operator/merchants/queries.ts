import type {
  IntegrationLine,
  MerchantDetail,
  MerchantLine,
} from '../../../../../../gateway/src/identity/console/answers/operators.ts';
import type { IntegrationBalance } from '../../../../../../gateway/src/ledger/console-answers.ts';
import type { FeeExamples } from '../../../../../../gateway/src/payments/api/console-answers/operators.ts';
import { api } from '../../../api/client.ts';
import { useList, useRead } from '../../../api/list.ts';
import { t } from '../../../texts/t.ts';
import { useAct } from '../../../ui/toast/act.ts';
import { outcomeWords } from '../../../ui/toast/done.ts';

export type { IntegrationBalance, IntegrationLine, MerchantDetail, MerchantLine };

const root = '/console/operator';

export type FeeTerms = IntegrationLine['fee'];

type Find = { search: string | undefined; cursor: string | undefined };

export const useMerchants = (find: Find) => useList<MerchantLine>(`${root}/merchants`, find);
export const useIntegrations = (find: Find) => useList<IntegrationLine>(`${root}/integrations`, find);
export const useMerchantDetail = (id: string, cursor: string | undefined) =>
  useRead<MerchantDetail>(`${root}/merchants/${id}`, { cursor });
export const useIntegrationBalances = (id: string) =>
  useList<IntegrationBalance>(`${root}/integrations/${id}/balances`);

/** Examples of a fee. The gateway computes them by the function that charges fees. */
export const useFeeExamples = (terms: Record<keyof FeeTerms, string>) =>
  useRead<FeeExamples>(`${root}/fee-examples`, terms);

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
    done: (outcome) => outcomeWords(outcome, t('The business may take live payments again.')),
  });

/** The reads that are stale after a change of a merchant or its integrations. */
export const merchantPaths = [`${root}/merchants`, `${root}/integrations`];
