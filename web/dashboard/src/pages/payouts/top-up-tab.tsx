import { Plus, QrCode as QrIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Copy } from '../../ui/button/copy.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { DefinitionList } from '../../ui/display/definition-list.tsx';
import { QrCode } from '../../ui/display/qr-code.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { useAct } from '../../ui/toast/act.ts';
import { type TopUpPage, useTopUpAddresses } from './queries.ts';

type TopUpAddress = TopUpPage['items'][number];

/** The addresses that add to the balance, and a form for another asset. */
export function TopUpTab({ closed }: { closed: boolean }): ReactNode {
  const { mode } = useScope();
  const may = useMay('make payouts');
  const addresses = useTopUpAddresses();
  const [shown, setShown] = useState<TopUpAddress>();
  if (addresses.isError && !addresses.data) {
    return <ErrorState error={addresses.error} onRetry={() => void addresses.refetch()} />;
  }
  if (!addresses.data) return <SkeletonRows rows={3} />;
  const { items, offered } = addresses.data;
  return (
    <>
      {mode === 'test' && (
        <Banner role="status" title={t('Nothing arrives at these addresses')}>
          {t('They are simulated. Test money comes by POST /test/top-ups.')}
        </Banner>
      )}
      {items.length === 0 ? (
        <EmptyState icon={QrIcon} title={t('No address yet')}>
          {t('Whatever comes to an address of yours is your balance, without a fee, again and again.')}
        </EmptyState>
      ) : (
        <div className="grid gap-4 lg:grid-cols-2">
          {items.map((item) => (
            <AddressCard key={item.asset} item={item} onShow={() => setShown(item)} />
          ))}
        </div>
      )}
      {may && !closed && offered.length > 0 && <NewAddress offered={offered} />}
      <Dialog
        open={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown ? t('Top up {asset}', { asset: assetName(shown.asset) }) : ''}
      >
        {shown && (
          <>
            {!shown.is_readable && <Unreadable />}
            <div className="mx-auto w-56 max-w-full">
              <QrCode
                text={shown.address}
                label={t('QR code of the address for {asset}', { asset: assetName(shown.asset) })}
              />
            </div>
            <p className="text-center font-mono text-sm wrap-anywhere">{shown.address}</p>
            {shown.memo !== null && (
              <Banner tone="waiting" title={t('Memo {memo}', { memo: shown.memo })}>
                {t('Without this memo it cannot be told whose it is.')}
              </Banner>
            )}
          </>
        )}
      </Dialog>
    </>
  );
}

function AddressCard({ item, onShow }: { item: TopUpAddress; onShow: () => void }): ReactNode {
  const { asset, network, address, memo, is_readable } = item;
  return (
    <Card
      title={assetName(asset)}
      actions={
        <>
          <Copy
            text={address}
            what={t('address for {asset}', { asset: assetName(asset) })}
            label={t('Copy address')}
          />
          <Button size="small" onClick={onShow}>
            <QrIcon size={16} aria-hidden /> {t('QR code')}
          </Button>
        </>
      }
    >
      {!is_readable && <Unreadable />}
      <DefinitionList
        facts={[
          [t('Network'), network],
          [
            t('Address'),
            <span key="a" className="font-mono wrap-anywhere">
              {address}
            </span>,
          ],
          [
            t('Memo'),
            memo && (
              <span key="m" className="font-mono wrap-anywhere">
                {memo} <Copy text={memo} what={t('memo')} small />
              </span>
            ),
          ],
        ]}
      />
    </Card>
  );
}

function Unreadable(): ReactNode {
  return (
    <Banner tone="waiting" role="status" title={t('This network cannot be read at the moment')}>
      {t('The address stays valid. What comes to it counts later, once the network can be read again.')}
    </Banner>
  );
}

/** Asks for the address of an asset that has none. */
function NewAddress({ offered }: { offered: readonly string[] }): ReactNode {
  const { path } = useScope();
  const [chosen, setChosen] = useState<string>();
  const asset = chosen !== undefined && offered.includes(chosen) ? chosen : (offered[0] ?? '');
  const make = useAct(() => api(path('/top-up-addresses'), { body: { asset } }), {
    changes: [path('/top-up-addresses')],
    done: t('The address is ready'),
  });
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="w-full max-w-xs">
        <Select
          label={t('Asset')}
          value={asset}
          onChange={({ target }) => setChosen(target.value)}
          choices={offered.map((code) => ({ value: code, label: assetName(code) }))}
        />
      </div>
      <Button pending={make.isPending} onClick={() => make.mutate()}>
        <Plus size={16} aria-hidden /> {t('Get an address')}
      </Button>
    </div>
  );
}
