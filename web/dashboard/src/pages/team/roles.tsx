import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMerchant } from '../../api/scope.ts';
import { ofGateway } from '../../texts/of-gateway.ts';
import { t } from '../../texts/t.ts';
import { type Column, Table } from '../../ui/display/table.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { type Permission, type RolesAnswer, useRoles } from './queries.ts';

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
          rowKey={({ name }) => name}
        />
      )}
    </Section>
  );
}

function columnsOf({ items }: RolesAnswer): Column<Permission>[] {
  return [
    {
      key: 'permission',
      head: t('Permission'),
      className: 'min-w-36',
      cell: ({ name, words }) => (
        <span className="grid py-1">
          <span className="block font-semibold first-letter:uppercase">{ofGateway(name)}</span>
          {words !== name && <span className="block text-quiet">{ofGateway(words)}</span>}
        </span>
      ),
    },
    ...items.map(({ role, permissions }) => ({
      key: role,
      head: <span className="inline-block first-letter:uppercase">{ofGateway(role)}</span>,
      cell: ({ name }: Permission) =>
        permissions.includes(name) ? (
          <Check size={18} role="img" aria-label={t('yes')} className="text-paid" />
        ) : (
          <Minus size={18} role="img" aria-label={t('no')} className="text-line-strong" />
        ),
    })),
  ];
}
