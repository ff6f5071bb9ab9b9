import {
  EllipsisVertical,
  KeyRound,
  LogOut,
  ShieldCheck,
  ShieldOff,
  Smartphone,
  Users,
  UserX,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ofGateway } from '../../../texts/of-gateway.ts';
import { t } from '../../../texts/t.ts';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { Menu } from '../../../ui/button/menu.tsx';
import { Badge } from '../../../ui/display/badge.tsx';
import type { Column } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { List } from '../../../ui/list/list.tsx';
import { KindSelect } from '../kind-select.tsx';
import { SearchBox } from '../search-box.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { type AccountAct, AccountDialog } from './account-dialog.tsx';
import { type AccountLine, useAccounts } from './queries.ts';

const kinds = [
  { value: '', label: t('Everybody') },
  { value: 'operators', label: t('Operators') },
];

/** Everybody who can sign in, and who of them are operators. */
export function AccountsPage(): ReactNode {
  const [{ q, kind, cursor }] = useOperatorSearch();
  const accounts = useAccounts({ search: q, kind, cursor });
  const [act, setAct] = useState<AccountAct>();
  return (
    <>
      <PageHeader
        title={t('Accounts')}
        description={t(
          'People who sign in to this dashboard. Operators see every business and run the installation.',
        )}
      />
      <div className="flex flex-wrap items-end gap-3">
        <SearchBox label={t('Search accounts')} placeholder={t('E-mail or name')} />
        <KindSelect choices={kinds} />
      </div>
      <List
        list={accounts}
        caption={t('Accounts')}
        columns={columnsWith(setAct)}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={Users} title={t('Nobody was found')}>
            {t('No account has this in its address or name.')}
          </EmptyState>
        }
      />
      {act && <AccountDialog {...act} onClose={() => setAct(undefined)} />}
    </>
  );
}

function columnsWith(onAct: (act: AccountAct) => void): Column<AccountLine>[] {
  return [
    {
      key: 'person',
      head: t('Person'),
      grow: true,
      className: 'min-w-40',
      cell: ({ email, name, email_verified, is_operator }) => (
        <span className="grid">
          <span className="truncate font-semibold">{email}</span>
          <span className="truncate text-quiet">
            {name}
            {!email_verified && ` · ${t('address not confirmed')}`}
            {is_operator && <span className="sm:hidden"> · {t('operator')}</span>}
          </span>
        </span>
      ),
    },
    {
      key: 'merchants',
      head: t('Businesses'),
      from: 'lg',
      cell: ({ merchants }) => (
        <span className="block max-w-56 truncate">
          {merchants.map(({ name, role }) => `${name} (${ofGateway(role)})`).join(', ') || '–'}
        </span>
      ),
    },
    {
      key: 'second',
      head: t('Second factor'),
      className: 'whitespace-nowrap',
      from: 'md',
      cell: ({ has_two_factor, has_passkey }) => (
        <span className="flex gap-2 text-quiet">
          {has_two_factor && <Smartphone size={16} aria-label={t('Authenticator app')} />}
          {has_passkey && <KeyRound size={16} aria-label={t('Passkey')} />}
          {!has_two_factor && !has_passkey && t('Password alone')}
        </span>
      ),
    },
    {
      key: 'seen',
      head: t('Last seen'),
      from: 'sm',
      cell: ({ last_seen_at }) => <Time at={last_seen_at} />,
    },
    {
      key: 'operator',
      head: <span className="sr-only">{t('Operator')}</span>,
      from: 'sm',
      cell: ({ is_operator }) => is_operator && <Badge tone="accent">{t('Operator')}</Badge>,
    },
    {
      key: 'acts',
      head: <span className="sr-only">{t('What to do')}</span>,
      align: 'end',
      cell: (account) => (
        <Menu
          trigger={
            <IconButton
              icon={EllipsisVertical}
              label={t('What to do with {email}', { email: account.email })}
            />
          }
          items={[
            account.is_operator
              ? {
                  label: t('Take operator rights away'),
                  icon: ShieldOff,
                  danger: true,
                  onSelect: () => onAct({ act: 'lower', account }),
                }
              : {
                  label: t('Make an operator'),
                  icon: ShieldCheck,
                  onSelect: () => onAct({ act: 'lift', account }),
                },
            {
              label: t('Sign out everywhere'),
              icon: LogOut,
              disabled: account.sessions === 0,
              onSelect: () => onAct({ act: 'sign-out', account }),
            },
            {
              label: t('Close the account'),
              icon: UserX,
              danger: true,
              disabled: account.is_operator,
              onSelect: () => onAct({ act: 'close', account }),
            },
          ]}
        />
      ),
    },
  ];
}
