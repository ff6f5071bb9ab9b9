import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type {
  ConsolePayout,
  PayoutAddress,
  PayoutAssets,
  PayoutDetail,
  PayoutPreview,
  PayoutSchedule,
  PayoutSettingsData,
  TopUpPage,
} from '../../../../../gateway/src/payouts/api/console-answers.ts';
import type { FundingSettingsData } from '../../../../../gateway/src/wallets/console-answers.ts';
import { api } from '../../api/client.ts';
import { everyMs, type Page, useList, useRead } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';

export type {
  ConsolePayout,
  FundingSettingsData,
  PayoutAddress,
  PayoutAssets,
  PayoutDetail,
  PayoutPreview,
  PayoutSchedule,
  PayoutSettingsData,
  TopUpPage,
};
export type PayoutStatus = ConsolePayout['status'];

export function usePayouts(query: {
  status?: string | undefined;
  cursor?: string | undefined;
}): UseQueryResult<Page<ConsolePayout>> {
  return useList<ConsolePayout>(useScope().path('/payouts'), query, isOpen);
}

/** Whether a payout changes without this person: others approve it, and the network takes it. */
export const isOpen = ({ status }: Pick<ConsolePayout, 'status'>): boolean =>
  ['awaiting_approval', 'queued', 'sending'].includes(status);

/** One payout below `base`, the merchant's or the operators'; read again while it is on its way. */
export function usePayout<T extends PayoutDetail>(base: string, id: string): UseQueryResult<T> {
  return useQuery({
    queryKey: [`${base}/${id}`],
    queryFn: ({ signal }) => api<T>(`${base}/${id}`, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isOpen(data) ? everyMs : false),
  });
}

export function usePayoutAssets(): UseQueryResult<PayoutAssets> {
  return useRead<PayoutAssets>(useScope().path('/payout-assets'));
}

export function usePayoutSettings(): UseQueryResult<PayoutSettingsData> {
  return useRead<PayoutSettingsData>(useScope().path('/payout-settings'));
}

/** What the owner decided about funding users. */
export function useFundingSettings(): UseQueryResult<FundingSettingsData> {
  return useRead<FundingSettingsData>(useScope().path('/fund-user-settings'));
}

export function usePayoutAddresses(): UseQueryResult<Page<PayoutAddress>> {
  return useRead<Page<PayoutAddress>>(useScope().path('/payout-addresses'));
}

export function usePayoutSchedules(): UseQueryResult<Page<PayoutSchedule>> {
  return useRead<Page<PayoutSchedule>>(useScope().path('/payout-schedules'));
}

export function useTopUpAddresses(): UseQueryResult<TopUpPage> {
  return useRead<TopUpPage>(useScope().path('/top-up-addresses'));
}
