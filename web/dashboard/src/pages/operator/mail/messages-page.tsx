import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { useOperatorSearch } from '../use-operator-search.ts';
import { Announcements } from './announcements.tsx';
import { Outbox } from './outbox.tsx';

/** The installation's announcement in the dashboard, and its mails. */
export function MessagesPage(): ReactNode {
  const [{ tab }, change] = useOperatorSearch();
  return (
    <>
      <PageHeader
        title={t('Messages')}
        description={t('The announcement in the dashboard, and the mails of this installation.')}
      />
      <Tabs
        label={t('Messages')}
        value={tab === 'outbox' ? 'outbox' : 'announcement'}
        onChange={(next) => change({ tab: next, cursor: undefined, kind: undefined, open: undefined })}
        tabs={[
          { value: 'announcement', label: t('Announcement'), content: <Announcements /> },
          { value: 'outbox', label: t('Mail outbox'), content: <Outbox /> },
        ]}
      />
    </>
  );
}
