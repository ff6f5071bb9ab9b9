import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import type { Column } from '../../../ui/display/table.tsx';
import { RowLink } from '../../../ui/list/row-link.tsx';
import { Rows, type RowsProps } from '../../../ui/list/rows.tsx';
import { ApprovalBadge } from '../../integrations/approval-badge.tsx';
import { feeText } from './fee-text.ts';
import { IntegrationDrawer } from './integration-drawer.tsx';
import type { IntegrationLine } from './queries.ts';

type IntegrationsTableProps = Pick<RowsProps<IntegrationLine>, 'page' | 'stale'> & {
  /** True on the page of one business: the column of businesses is left out. */
  withoutBusiness?: boolean;
};

/** Integrations, each of which opens beside the list. */
export function IntegrationsTable({ withoutBusiness = false, ...rows }: IntegrationsTableProps): ReactNode {
  return (
    <Rows
      {...rows}
      caption={t('Integrations and their fees')}
      columns={withoutBusiness ? columns.filter(({ key }) => key !== 'business') : columns}
      rowKey={({ id }) => id}
      detail={(integration, onClose) => <IntegrationDrawer integration={integration} onClose={onClose} />}
    />
  );
}

const columns: Column<IntegrationLine>[] = [
  {
    key: 'name',
    head: t('Integration'),
    grow: true,
    className: 'min-w-36',
    cell: ({ id, name }) => (
      <RowLink open={id} className="font-semibold">
        {name}
      </RowLink>
    ),
  },
  {
    key: 'business',
    head: t('Business'),
    from: 'md',
    className: 'whitespace-nowrap',
    cell: ({ merchant_name }) => merchant_name ?? <span className="text-quiet">{t('Command line')}</span>,
  },
  {
    key: 'fee',
    head: t('Fee'),
    align: 'end',
    className: 'min-w-24 sm:whitespace-nowrap',
    cell: ({ fee }) => feeText(fee),
  },
  {
    key: 'approval',
    head: t('Live mode'),
    align: 'end',
    from: 'sm',
    cell: ({ approval }) => <ApprovalBadge approval={approval} />,
  },
];
