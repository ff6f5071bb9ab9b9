import { BookUser, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx';
import { Id } from '../../ui/display/code.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { AddAddressDialog } from './add-address-dialog.tsx';
import { type PayoutAddress, usePayoutAddresses } from './queries.ts';

/** The addresses that money may be paid out to. */
export function AddressBook(): ReactNode {
  const { path } = useScope();
  const may = useMay('make payouts');
  const book = usePayoutAddresses();
  const [adding, setAdding] = useState(false);
  const [stopping, setStopping] = useState<PayoutAddress>();

  const columns: Column<PayoutAddress>[] = [
    {
      key: 'label',
      head: t('Name'),
      cell: ({ label }) => label,
      className: 'w-full min-w-24 font-semibold wrap-anywhere',
    },
    {
      key: 'address',
      head: t('Address'),
      className: 'whitespace-nowrap',
      cell: ({ address, memo }) => (
        <>
          <Id text={address} what={t('address')} />
          {memo !== null && <span className="text-quiet"> {t('memo {memo}', { memo })}</span>}
        </>
      ),
    },
    {
      key: 'usable',
      head: t('May be used'),
      from: 'sm',
      cell: ({ is_usable, usable_at }) => (is_usable ? t('Now') : <Time at={usable_at} exact />),
    },
    { key: 'by', head: t('Added by'), from: 'lg', cell: ({ added_by }) => added_by },
    ...(may
      ? [
          {
            key: 'stop',
            head: <span className="sr-only">{t('Act')}</span>,
            align: 'end' as const,
            cell: (entry: PayoutAddress) => (
              <Button
                size="small"
                aria-label={t('Stop {label}', { label: entry.label })}
                onClick={() => setStopping(entry)}
              >
                {t('Stop')}
              </Button>
            ),
          },
        ]
      : []),
  ];

  return (
    <Section
      title={t('Address book')}
      description={t(
        'A new address may be used after a day. Everybody who pays out gets a mail and can stop it.',
      )}
      actions={
        may && (
          <Button onClick={() => setAdding(true)}>
            <Plus size={16} aria-hidden /> {t('Add an address')}
          </Button>
        )
      }
    >
      <Loaded query={book} rows={3}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={BookUser} title={t('No address yet')}>
              {t("Add the addresses that you withdraw to, such as your exchange's.")}
            </EmptyState>
          ) : (
            <Table
              caption={t('Addresses for payouts')}
              columns={columns}
              rows={items}
              rowKey={({ id }) => id}
            />
          )
        }
      </Loaded>
      {adding && <AddAddressDialog onClose={() => setAdding(false)} />}
      <ConfirmDialog
        open={stopping !== undefined}
        onClose={() => setStopping(undefined)}
        title={t('Stop {label}?', { label: stopping?.label ?? '' })}
        action={t('Stop the address')}
        danger
        onConfirm={() => api(path(`/payout-addresses/${stopping?.id}`), { method: 'DELETE' })}
        done={t('{label} was stopped', { label: stopping?.label ?? '' })}
        changes={[path('/payout-addresses')]}
      >
        <p>
          {t(
            'Payouts to it are refused from now on, where only known addresses may be used. Those that were ordered are sent: cancel them if they should not be.',
          )}
        </p>
      </ConfirmDialog>
    </Section>
  );
}
