import type { ReactNode } from 'react';
import type { PaymentDestinations } from '../../../../../gateway/src/payments/api/console-answers/destinations.ts';
import { DestinationError, type DestinationRefusal } from '../../../../../sdk/typescript/src/errors.ts';
import { verifyDestination } from '../../../../../sdk/typescript/src/verify-destination.ts';
import { assetName } from '../../format/amount.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Id } from '../../ui/display/code.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Section } from '../../ui/layout/card.tsx';
import type { OwnAddressItem } from '../own-wallet/queries.ts';

type Destination = PaymentDestinations['items'][number];

/** A destination, and the settings of its asset. */
export type FoundPlace = { destination: Destination; own: OwnAddressItem };

type Props = { paymentId: string; places: readonly FoundPlace[]; basisPoints: number };

/** Whether each of these addresses follows from the settings, as this browser computes it. */
export function WhereMoneyGoes({ paymentId, places, basisPoints }: Props): ReactNode {
  return (
    <Section title={t('Where the money goes')}>
      {places.map((place) => (
        <Verdict
          key={place.destination.asset}
          place={place}
          refusal={judge(paymentId, place, basisPoints)}
          percent={String(basisPoints / 100)}
        />
      ))}
    </Section>
  );
}

function judge(
  paymentId: string,
  { destination, own: { address: merchant, host } }: FoundPlace,
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
  place: { destination, own },
  refusal,
  percent,
}: {
  place: FoundPlace;
  /** Why the address does not follow from the settings. */
  refusal: DestinationRefusal | null;
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
