import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { Clock } from './clock.tsx';
import { Listen } from './listen.tsx';
import { Requests } from './requests.tsx';
import type { DevelopersSearch, DevelopersTab } from './search.ts';
import { Snippets } from './snippets.tsx';

/** Tools for developers: the log of API requests, the test clock, `florin listen`, and example code. */
export function DevelopersPage(): ReactNode {
  const search: DevelopersSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const choose = (tab: DevelopersTab) =>
    void navigate({ to: '.', search: tab === 'requests' ? {} : { tab } });
  return (
    <>
      <PageHeader
        title={t('Developers')}
        description={t(
          'API requests of your keys, the test clock, webhooks on your machine, and example code.',
        )}
      />
      <Tabs
        label={t('For developers')}
        value={search.tab ?? 'requests'}
        onChange={choose}
        tabs={[
          { value: 'requests', label: t('Requests'), content: <Requests search={search} /> },
          { value: 'clock', label: t('Test clock'), content: <Clock /> },
          { value: 'listen', label: t('Listen'), content: <Listen search={search} /> },
          { value: 'snippets', label: t('Snippets'), content: <Snippets search={search} /> },
        ]}
      />
    </>
  );
}
