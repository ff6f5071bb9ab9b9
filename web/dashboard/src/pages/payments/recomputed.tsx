import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import type { PaymentDestinations } from '../../../../../gateway/src/payments/api/console-answers/destinations.ts';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { useOwnAddresses } from '../own-wallet/queries.ts';
import type { PaymentDetail } from './queries.ts';
import type { FoundPlace } from './where-money-goes.tsx';

// The hash that it takes is loaded only for payments with such an address.
const WhereMoneyGoes = lazy(async () => ({
  default: (await import('./where-money-goes.tsx')).WhereMoneyGoes,
}));

type Props = { payment: Pick<PaymentDetail, 'id' | 'payment_reference'> };

/**
 * Whether the addresses of a payment pass money on as the business's settings say. This browser computes them from the
 * settings that it shows, and believes nothing of the answer.
 */
export function Recomputed({ payment: { id, payment_reference } }: Props): ReactNode {
  const { data: settings } = useOwnAddresses();
  const isOffered = settings !== undefined && settings.settlement !== 'off';
  const { data } = useDestinations(payment_reference, isOffered);
  if (!isOffered || !data) return null;
  const places = data.items.flatMap((destination): FoundPlace[] => {
    const own = settings.items.find(({ asset }) => asset === destination.asset);
    // Nothing is set, and nothing else was done.
    return !own || (own.address === null && destination.settlement === 'balance')
      ? []
      : [{ destination, own }];
  });
  if (places.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <WhereMoneyGoes paymentId={id} places={places} basisPoints={settings.basis_points} />
    </Suspense>
  );
}

function useDestinations(reference: string, enabled: boolean): UseQueryResult<PaymentDestinations> {
  const path = useScope().path(`/payments/${encodeURIComponent(reference)}/destinations`);
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api<PaymentDestinations>(path, { signal }),
    enabled,
  });
}
