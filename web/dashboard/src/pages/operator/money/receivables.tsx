import { Link } from '@tanstack/react-router';
import { Handshake } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { amountColumn } from '../../../ui/list/amount-column.tsx';
import { List } from '../../../ui/list/list.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { type Receivable, useReceivables } from './queries.ts';

/** What merchants owe the installation. */
export function Receivables(): ReactNode {
  const [{ cursor }] = useOperatorSearch();
  const receivables = useReceivables(cursor);
  return (
    <List
      list={receivables}
      caption={t('Receivables')}
      columns={columns}
      rowKey={({ integration_id, mode, asset }) => `${integration_id} ${mode} ${asset}`}
      empty={
        <EmptyState icon={Handshake} title={t('No merchant owes anything')}>
          {t(
            "When a refund or a reversal is larger than the merchant's balance, the rest is listed here until it is paid.",
          )}
        </EmptyState>
      }
    />
  );
}

const columns: Column<Receivable>[] = [
  {
    key: 'integration',
    head: t('Integration'),
    grow: true,
    className: 'min-w-36',
    cell: ({ integration_id: integration, integration_name, mode }) => (
      <Link
        to="/i/$integration/$mode/balances"
        params={{ integration, mode }}
        className="row-link font-semibold"
      >
        {integration_name}
      </Link>
    ),
  },
  { key: 'business', head: t('Business'), from: 'sm', cell: ({ merchant_name }) => merchant_name ?? '–' },
  {
    key: 'mode',
    head: t('Mode'),
    from: 'sm',
    cell: ({ mode }) => (mode === 'test' ? <Badge tone="test">{t('Test')}</Badge> : t('Live')),
  },
  amountColumn({ head: t('Owes') }),
];
