import { getRouteApi } from '@tanstack/react-router';
import { EllipsisVertical, KeyRound, ShieldCheck, UserCog, UserMinus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useMay, useMerchant } from '../../api/scope.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../texts/t.ts';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { Menu } from '../../ui/button/menu.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { RoleName } from '../../ui/display/role-name.tsx';
import type { Column } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { List } from '../../ui/list/list.tsx';
import { ChangeRole } from './change-role.tsx';
import { type Member, useMembers } from './queries.ts';
import { RemoveMember } from './remove-member.tsx';

const route = getRouteApi('/shell/m/$merchant/team');

/** The members of the business, in the order in which they joined. */
export function Members(): ReactNode {
  const merchant = useMerchant();
  const may = useMay('manage the team');
  const { account } = useSession();
  const { cursor } = route.useSearch();
  const list = useMembers(merchant.id, cursor);
  const [act, setAct] = useState<{ kind: 'role' | 'remove'; member: Member } | null>(null);

  const acts: Column<Member> = {
    key: 'acts',
    head: <span className="sr-only">{t('What to do')}</span>,
    align: 'end',
    cell: (member) => (
      <Menu
        trigger={
          <IconButton icon={EllipsisVertical} label={t('What to do with {name}', { name: member.name })} />
        }
        items={[
          { label: t('Change the role'), icon: UserCog, onSelect: () => setAct({ kind: 'role', member }) },
          {
            label: member.account_id === account.id ? t('Leave the business') : t('Remove from the team'),
            icon: UserMinus,
            danger: true,
            onSelect: () => setAct({ kind: 'remove', member }),
          },
        ]}
      />
    ),
  };
  const close = () => setAct(null);
  return (
    <>
      <List
        list={list}
        caption={t('Members')}
        columns={may ? [...columnsFor(account.id), acts] : columnsFor(account.id)}
        rowKey={({ account_id }) => account_id}
        empty={null}
      />
      {act?.kind === 'role' && <ChangeRole member={act.member} onClose={close} />}
      {act?.kind === 'remove' && <RemoveMember member={act.member} onClose={close} />}
    </>
  );
}

const columnsFor = (ownId: string): Column<Member>[] => [
  {
    key: 'name',
    head: t('Person'),
    grow: true,
    cell: ({ account_id, name, email }) => (
      <div className="grid py-1">
        <span className="truncate font-semibold">
          {name}
          {account_id === ownId && <span className="font-normal text-quiet"> {t('(you)')}</span>}
        </span>
        <span className="truncate text-quiet">{email}</span>
      </div>
    ),
  },
  {
    key: 'role',
    head: t('Role'),
    cell: ({ role }) => <RoleName role={role} />,
  },
  {
    key: 'second',
    head: t('Second factor'),
    from: 'md',
    cell: ({ has_two_factor, has_passkey }) =>
      has_two_factor || has_passkey ? (
        <span className="flex gap-2">
          {has_passkey && (
            <Badge tone="paid" icon={KeyRound}>
              {t('Passkey')}
            </Badge>
          )}
          {has_two_factor && (
            <Badge tone="paid" icon={ShieldCheck}>
              {t('Two-factor')}
            </Badge>
          )}
        </span>
      ) : (
        <span className="whitespace-nowrap text-quiet">{t('Password alone')}</span>
      ),
  },
  { key: 'joined', head: t('Joined'), from: 'sm', cell: ({ joined_at }) => <Time at={joined_at} /> },
];
