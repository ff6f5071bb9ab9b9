import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PaymentDestinations } from '../../../../../gateway/src/payments/api/console-answers/destinations.ts';
import { DestinationError, type DestinationRefusal } from '../../../../../sdk/typescript/src/errors.ts';
import { verifyDestination } from '../../../../../sdk/typescript/src/verify-destination.ts';
import { api } from '../../api/client.ts';
import { useScope } from '../../api/scope.ts';
import { assetName } from '../../format/amount.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Id } from '../../ui/display/code.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { type OwnAddressItem, useOwnAddresses } from '../own-wallet/queries.ts';
import type { PaymentDetail } from './queries.ts';

type Destination = PaymentDestinations['items'][number];

/** A destination, and by which settings it was recomputed; `refusal`: why it does not follow from them. */
type Judged = { destination: Destination; own: OwnAddressItem; refusal: DestinationRefusal | null };

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
  const points = settings.basis_points;
  const judged = data.items.flatMap((destination): Judged[] => {
    const own = settings.items.find(({ asset }) => asset === destination.asset);
    // Nothing is set, and nothing else was done.
    if (!own || (own.address === null && destination.settlement === 'balance')) return [];
    return [{ destination, own, refusal: judge(id, destination, own, points) }];
  });
  if (judged.length === 0) return null;
  return (
    <Section title={t('Where the money goes')}>
      {judged.map((each) => (
        <Verdict key={each.destination.asset} judged={each} percent={String(points / 100)} />
      ))}
    </Section>
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

function judge(
  paymentId: string,
  destination: Destination,
  { address: merchant, host }: OwnAddressItem,
  basisPoints: number,
): DestinationRefusal | null {
  if (merchant === null) return 'other_settlement';
  try {
    verifyDestination({ paymentId, destination, agreed: { merchant, host, basisPoints } });
    return null;
  } catch (error) {
    if (error instanceof DestinationError) return error.reason;
    throw error;
  }
}

function Verdict({
  judged: { destination, own, refusal },
  percent,
}: {
  judged: Judged;
  percent: string;
}): ReactNode {
  const name = assetName(destination.asset);
  const address = <Id text={destination.address} what={t('address')} />;
  if (refusal !== null) {
    return (
      <Banner
        tone="waiting"
        title={t('The address for {asset} does not follow from your settings', { asset: name })}
      >
        {address} {refusalWords(refusal, destination)}{' '}
        {t(
          'That is right if the settings have changed since the payment was made. If they have not, send nobody to it, and ask the operator.',
        )}
      </Banner>
    );
  }
  return (
    <Banner tone="paid" title={t('The address for {asset} follows from your settings', { asset: name })}>
      {rich(
        '{address} passes money on to {merchant}, and {percent} % of it to {host} of the operator. Recomputed in this browser.',
        {
          address,
          merchant: <Id text={own.address ?? ''} what={t('address')} />,
          percent,
          host: <Id text={own.host} what={t('address')} />,
        },
      )}
    </Banner>
  );
}

function refusalWords(refusal: DestinationRefusal, { settlement }: Destination): string {
  if (refusal === 'other_settlement')
    return settlement === 'balance'
      ? t('Its money is credited to your balance here.')
      : t('Its money goes to an address, and not to your balance here.');
  if (refusal === 'other_merchant') return t('Its money goes to another address than the one that is set.');
  if (refusal === 'other_host') return t('It names another address of the operator.');
  if (refusal === 'other_basis_points') return t('It gives the operator another part.');
  return t('It follows from nothing that is known here.');
}
