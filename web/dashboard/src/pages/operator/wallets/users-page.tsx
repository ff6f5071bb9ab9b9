import { Link } from '@tanstack/react-router';
import { Snowflake, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { List } from '../../../ui/list/list.tsx';
import { OperatorTabs } from '../operator-tabs.tsx';
import { SearchBox } from '../search-box.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { useUsers, type WalletUser } from './queries.ts';

/** Every user with a wallet, and those whose wallet is frozen. */
export function UsersPage(): ReactNode {
  return (
    <>
      <PageHeader title={t('Users')} description={t('People with a wallet at this installation.')} />
      <OperatorTabs
        label={t('Users')}
        tabs={[
          { value: 'all', label: t('All'), content: <Users isFrozen={false} /> },
          { value: 'frozen', label: t('Frozen'), content: <Users isFrozen /> },
        ]}
      />
    </>
  );
}

function Users({ isFrozen }: { isFrozen: boolean }): ReactNode {
  const [{ q, cursor }] = useOperatorSearch();
  const users = useUsers({ search: q, frozen: isFrozen ? 'yes' : undefined, cursor });
  return (
    <div className="grid gap-4">
      <SearchBox label={t('Search users')} placeholder={t('A part of the username')} />
      <List
        list={users}
        caption={t('Users')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={Wallet} title={q ? t('Nothing was found') : t('Nobody yet')}>
            {isFrozen ? t('No wallet that is frozen.') : t('A user is listed here once they have a wallet.')}
          </EmptyState>
        }
      />
    </div>
  );
}

const columns: Column<WalletUser>[] = [
  {
    key: 'name',
    head: t('Username'),
    grow: true,
    className: 'min-w-40',
    cell: ({ id, username }) => (
      <Link to="/operator/users/$user" params={{ user: id }} className="row-link font-semibold wrap-anywhere">
        {username}
      </Link>
    ),
  },
  { key: 'level', head: t('Level'), align: 'end', cell: ({ level }) => level },
  { key: 'made', head: t('Since'), from: 'md', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    key: 'state',
    head: t('State'),
    align: 'end',
    cell: ({ frozen_at }) => (frozen_at === null ? t('Open') : <FrozenBadge />),
  },
];

export function FrozenBadge(): ReactNode {
  return (
    <Badge tone="lost" icon={Snowflake}>
      {t('Frozen')}
    </Badge>
  );
}
