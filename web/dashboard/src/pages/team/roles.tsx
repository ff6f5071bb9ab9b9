import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMerchant } from '../../api/scope.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import { type Column, Table } from '../../ui/display/table.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { type RolesAnswer, useRoles } from './queries.ts';

/** What each role may do, as the gateway checks it. */
export function Roles(): ReactNode {
  const roles = useRoles(useMerchant().id);
  return (
    <Section title={t('What each role may do')}>
      {roles.isError && <ErrorState error={roles.error} onRetry={() => void roles.refetch()} />}
      {roles.data && (
        <Table
          caption={t('Permissions of each role')}
          columns={columnsOf(roles.data)}
          rows={roles.data.permissions}
          rowKey={(permission) => permission}
        />
      )}
    </Section>
  );
}

function columnsOf({ items }: RolesAnswer): Column<string>[] {
  return [
    {
      key: 'permission',
      head: t('Permission'),
      className: 'min-w-36',
      cell: (permission) => <span className="block first-letter:uppercase">{ofGateway(permission)}</span>,
    },
    ...items.map(({ role, permissions }) => ({
      key: role,
      head: <span className="inline-block first-letter:uppercase">{ofGateway(role)}</span>,
      cell: (permission: string) =>
        permissions.includes(permission) ? (
          <Check size={18} role="img" aria-label={t('yes')} className="text-paid" />
        ) : (
          <Minus size={18} role="img" aria-label={t('no')} className="text-line-strong" />
        ),
    })),
  ];
}
