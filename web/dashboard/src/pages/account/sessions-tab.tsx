import { LogOut } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Ended } from '../../../../../gateway/src/identity/console/answers/account.ts';
import { api } from '../../api/client.ts';
import { rich } from '../../texts/rich.ts';
import { counted, t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { useAct } from '../../ui/toast/act.ts';
import { deviceText } from './device.ts';
import { activityPath, type SessionItem, sessionsPath, useSessions } from './queries.ts';

/** The person's sessions, each with a button to end it. */
export function SessionsTab(): ReactNode {
  const list = useSessions();
  const endOthers = useAct(() => api<Ended>(`${sessionsPath}/end-others`, { body: {} }), {
    changes: [sessionsPath, activityPath],
    done: ({ ended }) => counted(ended, 'Ended 1 other session', 'Ended {count} other sessions'),
  });
  const sessions = list.data?.items ?? [];
  return (
    <Section
      title={t('Where you are signed in')}
      description={t('A session ends by itself a week after its last use.')}
      actions={
        sessions.length > 1 && (
          <Button size="small" pending={endOthers.isPending} onClick={() => endOthers.mutate()}>
            <LogOut size={16} aria-hidden /> {t('End all others')}
          </Button>
        )
      }
    >
      <Loaded query={list} rows={3}>
        {() => <Table caption={t('Sessions')} columns={columns} rows={sessions} rowKey={({ id }) => id} />}
      </Loaded>
    </Section>
  );
}

const columns: Column<SessionItem>[] = [
  {
    key: 'device',
    head: t('Device'),
    grow: true,
    cell: ({ user_agent, address }) => (
      <div className="grid">
        <span className="truncate font-semibold" title={user_agent ?? undefined}>
          {deviceText(user_agent)}
        </span>
        <span className="truncate text-quiet sm:hidden">{address}</span>
      </div>
    ),
  },
  { key: 'address', head: t('From'), from: 'sm', cell: ({ address }) => address ?? t('unknown') },
  { key: 'created', head: t('Signed in'), from: 'md', cell: ({ created_at }) => <Time at={created_at} /> },
  { key: 'seen', head: t('Last used'), from: 'sm', cell: ({ seen_at }) => <Time at={seen_at} /> },
  {
    key: 'end',
    head: <span className="sr-only">{t('Acts')}</span>,
    align: 'end',
    cell: (session) =>
      session.current ? <Badge tone="accent">{t('This one')}</Badge> : <EndSession {...session} />,
  },
];

function EndSession({ id, user_agent, address }: SessionItem): ReactNode {
  const end = useAct(() => api(`${sessionsPath}/${id}`, { method: 'DELETE', body: {} }), {
    changes: [sessionsPath, activityPath],
    done: t('Session ended'),
  });
  return (
    <Button size="small" pending={end.isPending} onClick={() => end.mutate()}>
      {rich('End{span}', {
        span: <span className="sr-only"> {`${deviceText(user_agent)}, ${address ?? t('unknown')}`}</span>,
      })}
    </Button>
  );
}
