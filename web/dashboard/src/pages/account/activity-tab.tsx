import { useSearch } from '@tanstack/react-router';
import { History } from 'lucide-react';
import type { ReactNode } from 'react';
import { useList } from '../../api/list.ts';
import { t } from '../../texts/t.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Section } from '../../ui/layout/card.tsx';
import { AuditList } from '../audit/audit-list.tsx';
import type { AuditEntry } from '../audit/entry.ts';
import { activityPath } from './queries.ts';

/** The changes of the person's own account and who failed to get in, by whom and from which address. */
export function ActivityTab(): ReactNode {
  const { cursor } = useSearch({ from: '/shell/account' });
  const list = useList<AuditEntry>(activityPath, { about: 'everything', cursor, limit: '20' });
  return (
    <Section
      title={t('Recent activity')}
      description={t(
        'Sign-ins, those that failed, and changes of your account. If one that succeeded was not you, change your password and end the other sessions.',
      )}
    >
      <AuditList
        list={list}
        caption={t('Activity, the newest first')}
        empty={
          <EmptyState icon={History} title={t('Nothing yet')}>
            {t('Sign-ins and changes of your account will be listed here.')}
          </EmptyState>
        }
      />
    </Section>
  );
}
