import type { ReactNode } from 'react';
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
        title="Messages"
        description="The announcement in the dashboard, and the mails of this installation."
      />
      <Tabs
        label="Messages"
        value={tab === 'outbox' ? 'outbox' : 'announcement'}
        onChange={(next) => change({ tab: next, cursor: undefined, kind: undefined, open: undefined })}
        tabs={[
          { value: 'announcement', label: 'Announcement', content: <Announcements /> },
          { value: 'outbox', label: 'Mail outbox', content: <Outbox /> },
        ]}
      />
    </>
  );
}
