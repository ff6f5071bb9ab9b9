import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { useMerchant } from '../../api/scope.ts';
import { useSession } from '../../api/session.ts';
import { useNow } from '../../format/now.ts';
import { rich } from '../../texts/rich.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { RoleName } from '../../ui/display/role-name.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { useAct } from '../../ui/toast/act.ts';
import { type Invitation, invitationsPath, merchantPath, useInvitations } from './queries.ts';

/** The open invitations. */
export function Invitations(): ReactNode {
  const { id } = useMerchant();
  const list = useInvitations(id);
  return (
    <Section
      title={t('Invitations')}
      description={t('A link works for seven days. Sending it again makes a new link for seven more days.')}
    >
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.items.length === 0 && (
        <p className="text-sm text-quiet">{t('There are no open invitations.')}</p>
      )}
      {list.data && list.data.items.length > 0 && (
        <Table
          caption={t('Open invitations')}
          columns={columns}
          rows={list.data.items}
          rowKey={(invitation) => invitation.id}
        />
      )}
    </Section>
  );
}

const columns: Column<Invitation>[] = [
  {
    key: 'email',
    head: t('Address'),
    grow: true,
    cell: ({ email, invited_by }) => (
      <div className="grid py-1">
        <span className="truncate font-semibold">{email}</span>
        <span className="truncate text-quiet">{t('by {invited_by}', { invited_by })}</span>
      </div>
    ),
  },
  {
    key: 'role',
    head: t('Role'),
    from: 'sm',
    cell: ({ role }) => <RoleName role={role} />,
  },
  { key: 'ends', head: t('Ends'), from: 'md', cell: (invitation) => <Ending {...invitation} /> },
  {
    key: 'acts',
    head: <span className="sr-only">{t('Acts')}</span>,
    align: 'end',
    cell: (invitation) => <Acts {...invitation} />,
  },
];

function Ending({ expires_at }: Invitation): ReactNode {
  const now = useNow();
  return new Date(expires_at) > now ? <Time at={expires_at} /> : <Badge tone="waiting">{t('Expired')}</Badge>;
}

function Acts({ id: invitationId, email }: Invitation): ReactNode {
  const { id } = useMerchant();
  const { sends_mail: sendsMail } = useSession();
  const path = `${invitationsPath(id)}/${invitationId}`;
  const changes = [invitationsPath(id), `${merchantPath(id)}/audit`];
  const sendAgain = useAct(() => api(`${path}/send-again`, { body: {} }), {
    changes,
    done: sendsMail
      ? t('A new link is on its way to {email}', { email })
      : t('The link for {email} waits among the messages of the operators', { email }),
  });
  const withdraw = useAct(() => api(path, { method: 'DELETE', body: {} }), {
    changes,
    done: t('Invitation withdrawn'),
  });
  return (
    <div className="flex justify-end gap-1 max-sm:flex-wrap">
      <Button size="small" pending={sendAgain.isPending} onClick={() => sendAgain.mutate()}>
        {rich('Send again{span}', { span: <span className="sr-only"> {t('to {email}', { email })}</span> })}
      </Button>
      <Button size="small" variant="plain" pending={withdraw.isPending} onClick={() => withdraw.mutate()}>
        {rich('Withdraw{span}', {
          span: <span className="sr-only"> {t('the invitation of {email}', { email })}</span>,
        })}
      </Button>
    </div>
  );
}
