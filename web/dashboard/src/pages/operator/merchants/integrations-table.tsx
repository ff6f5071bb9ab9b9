import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { ApprovalBadge } from '../../integrations/approval-badge.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { feeText } from './fee-text.ts';
import { IntegrationDrawer } from './integration-drawer.tsx';
import type { IntegrationLine } from './queries.ts';

/** Integrations, each of which opens beside the list, by the `open` in the address. */
export function IntegrationsTable({
  rows,
  stale = false,
  footer,
  withoutBusiness = false,
}: {
  rows: IntegrationLine[];
  stale?: boolean;
  footer: ReactNode;
  /** True on the page of one business: the column of businesses is left out. */
  withoutBusiness?: boolean;
}): ReactNode {
  const [{ open }, change] = useOperatorSearch();
  const opened = rows.find(({ id }) => id === open);
  return (
    <>
      <Table
        caption={t('Integrations and their fees')}
        columns={withoutBusiness ? columns.filter(({ key }) => key !== 'business') : columns}
        rows={rows}
        rowKey={({ id }) => id}
        selected={open}
        stale={stale}
        footer={footer}
      />
      {opened && <IntegrationDrawer integration={opened} onClose={() => change({ open: undefined })} />}
    </>
  );
}

const columns: Column<IntegrationLine>[] = [
  {
    key: 'name',
    head: t('Integration'),
    grow: true,
    className: 'min-w-36',
    cell: ({ id, name }) => (
      <Link
        to="."
        search={(search: object) => ({ ...search, open: id })}
        className="row-link font-semibold"
        replace
      >
        {name}
      </Link>
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
