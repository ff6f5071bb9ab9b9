import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { OperatorTabs } from '../operator-tabs.tsx';
import { Announcements } from './announcements.tsx';
import { Outbox } from './outbox.tsx';

/** The installation's announcement in the dashboard, and its mails. */
export function MessagesPage(): ReactNode {
  return (
    <>
      <PageHeader
        title={t('Messages')}
        description={t('The announcement in the dashboard, and the mails of this installation.')}
      />
      <OperatorTabs
        label={t('Messages')}
        tabs={[
          { value: 'announcement', label: t('Announcement'), content: <Announcements /> },
          { value: 'outbox', label: t('Mail outbox'), content: <Outbox /> },
        ]}
      />
    </>
  );
}
