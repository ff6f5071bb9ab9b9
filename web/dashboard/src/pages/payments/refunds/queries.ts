import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type {
  ConsoleRefund,
  RefundOptions,
  RefundSettingsData,
} from '../../../../../../gateway/src/payments/api/console-answers/refunds.ts';
import { api } from '../../../api/client.ts';
import { useRead } from '../../../api/list.ts';
import { useScope } from '../../../api/scope.ts';

export type { ConsoleRefund, RefundOptions, RefundSettingsData };
export type Refundable = RefundOptions['items'][number];
export type RefundPrice = NonNullable<RefundOptions['price']>;

/** Where the refunds of a payment are. */
export function useRefundsPath(reference: string): string {
  return useScope().path(`/payments/${encodeURIComponent(reference)}/refunds`);
}

/** What the owner decided about refunds; both modes have the same. */
export function useRefundSettings(): UseQueryResult<RefundSettingsData> {
  return useRead<RefundSettingsData>(useScope().integrationPath('/refund-settings'));
}

const everyMs = 5_000;

/** What can be refunded of a payment, and its refunds, read anew every few seconds: both change by themselves. */
export function useRefunds(reference: string): UseQueryResult<RefundOptions> {
  const path = useRefundsPath(reference);
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api<RefundOptions>(path, { signal }),
    refetchInterval: everyMs,
  });
}
