import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Id } from '../../ui/display/code.tsx';
import { Money } from '../../ui/display/money.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { type OwnAddressItem, useOwnAddresses } from './queries.ts';
import { SetAddressDialog } from './set-address-dialog.tsx';

/** Where payments settle without passing the gateway; nothing where no network of the installation offers that. */
export function OwnWallet(): ReactNode {
  const { path } = useScope();
  const may = useMay('manage payouts');
  const { data } = useOwnAddresses();
  const [setting, setSetting] = useState<OwnAddressItem>();
  const [ending, setEnding] = useState<OwnAddressItem>();
  if (!data || data.settlement === 'off') return null;
  const percent = data.basis_points / 100;
  const canSet = may && data.fee_fault === null;

  const columns: Column<OwnAddressItem>[] = [
    {
      key: 'asset',
      head: t('Asset'),
      cell: ({ asset }) => assetName(asset),
      className: 'w-full min-w-24 font-semibold',
    },
    { key: 'address', head: t('Payments go to'), cell: (item) => <Target item={item} /> },
    {
      key: 'way',
      head: t('On the way'),
      align: 'end',
      from: 'sm',
      cell: ({ asset, on_the_way }) => <Money amount={on_the_way} currency={asset} bare />,
    },
    ...(may
      ? [
          {
            key: 'act',
            head: <span className="sr-only">{t('Act')}</span>,
            align: 'end' as const,
            cell: (item: OwnAddressItem) => (
              <span className="inline-flex gap-2 max-sm:flex-col">
                {canSet && (
                  <Button size="small" onClick={() => setSetting(item)}>
                    {item.address === null && item.next === null ? t('Set') : t('Change')}
                  </Button>
                )}
                {(item.address !== null || item.next !== null) && (
                  <Button size="small" onClick={() => setEnding(item)}>
                    {t('End')}
                  </Button>
                )}
              </span>
            ),
          },
        ]
      : []),
  ];

  return (
    <Section
      title={t('Your own wallet')}
      description={t(
        'Payments can arrive at an address of yours without passing this gateway, less {percent} % for its operator. What comes too much or too late arrives there too, and refunds are yours to send.',
        { percent: String(percent) },
      )}
    >
      {data.fee_fault !== null && (
        <Banner tone="info" title={t('Your fee has a fixed part, a minimum or a maximum')}>
          {t(
            'Payments to your own wallet know a percentage alone. Ask the operator for a fee without these.',
          )}
        </Banner>
      )}
      {data.settlement !== 'offered' && data.items.every(({ address, next }) => !address && !next) && (
        <Banner tone="waiting" title={t('The operator asks you to set your own addresses')}>
          {data.settlement === 'required'
            ? t('Until you do, customers cannot pay in these assets.')
            : t('Payments are credited to your balance until then.')}
        </Banner>
      )}
      <Table
        caption={t('Where payments arrive')}
        columns={columns}
        rows={data.items}
        rowKey={({ asset }) => asset}
      />
      {setting && <SetAddressDialog asset={setting.asset} onClose={() => setSetting(undefined)} />}
      <ConfirmDialog
        open={ending !== undefined}
        onClose={() => setEnding(undefined)}
        title={t('End the address for {asset}?', { asset: assetName(ending?.asset ?? '') })}
        action={t('End the address')}
        danger
        onConfirm={() => api(path(`/own-addresses/${ending?.asset}`), { method: 'DELETE' })}
        done={t('The address was ended')}
        changes={[path('/own-addresses')]}
      >
        <p>
          {t(
            'New payments are credited to your balance from now on. Payments that were made already arrive at the address that they have.',
          )}
        </p>
      </ConfirmDialog>
    </Section>
  );
}

function Target({ item: { address, next } }: { item: OwnAddressItem }): ReactNode {
  return (
    <>
      {address === null ? (
        <span className="text-quiet">{t('Your balance here')}</span>
      ) : (
        <Id text={address} what={t('address')} />
      )}
      {next && (
        <div className="text-quiet">
          {t('from')} <Time at={next.from} exact />: <Id text={next.address} what={t('address')} />
        </div>
      )}
    </>
  );
}
