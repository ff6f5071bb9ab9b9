import { useNavigate, useSearch } from '@tanstack/react-router';
import { Link2, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { changeSearch } from '../../api/change-search.ts';
import { useMay } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Copy } from '../../ui/button/copy.tsx';
import { Money } from '../../ui/display/money.tsx';
import type { Column } from '../../ui/display/table.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { List } from '../../ui/list/list.tsx';
import { RowLink } from '../../ui/list/row-link.tsx';
import { LinkDrawer } from './link-drawer.tsx';
import { NewLink } from './new-link.tsx';
import { amountWords, type LinkData, usePaymentLinks } from './queries.ts';
import type { PaymentLinksSearch } from './search.ts';
import { LinkStatus } from './status.tsx';

const columns: Column<LinkData>[] = [
  {
    key: 'title',
    head: t('For what'),
    grow: true,
    cell: ({ id, title }) => (
      <RowLink open={id} replace={false} className="font-semibold">
        {title}
      </RowLink>
    ),
  },
  { key: 'amount', head: t('Amount'), from: 'sm', cell: (link) => amountWords(link) },
  { key: 'status', head: t('Status'), cell: ({ status }) => <LinkStatus status={status} /> },
  { key: 'uses', head: t('Uses'), align: 'end', cell: ({ uses }) => uses },
  {
    key: 'revenue',
    head: t('Revenue'),
    align: 'end',
    from: 'md',
    amounts: ({ revenue }) => [revenue],
    cell: ({ revenue, currency }) => <Money amount={revenue} currency={currency} />,
  },
  {
    key: 'copy',
    head: <span className="sr-only">{t('Copy')}</span>,
    cell: ({ url, title }) => <Copy text={url} what={t('the address of {title}', { title })} small />,
  },
];

/** Addresses at which customers pay by themselves. */
export function PaymentLinksPage(): ReactNode {
  const search: PaymentLinksSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const may = useMay('create payments');
  const create = may && (
    <Button
      variant="primary"
      onClick={() => void navigate({ to: '.', search: changeSearch({ make: 'link' }) })}
    >
      <Plus size={16} aria-hidden /> {t('New payment link')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('Payment links')}
        description={t(
          'Addresses at which customers pay by themselves: on an invoice, behind a button, as a QR code on a counter.',
        )}
        actions={create}
      />
      <List
        list={usePaymentLinks(search.cursor)}
        caption={t('Payment links')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={Link2} title={t('No payment links yet')}>
            {t('A link takes payments without a line of code.')}
          </EmptyState>
        }
        detail={(link, onClose) => <LinkDrawer link={link} onClose={onClose} />}
      />
      {may && search.make && (
        <NewLink onClose={() => void navigate({ to: '.', search: changeSearch({ make: undefined }) })} />
      )}
    </>
  );
}
