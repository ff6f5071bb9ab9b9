import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { BrandTab } from '../brand/brand-tab.tsx';
import { ApprovalBadge } from '../integrations/approval-badge.tsx';
import { NoticesTab } from '../notices/notices-tab.tsx';
import { PayoutSettingsTab } from '../payouts/settings-tab.tsx';
import { GeneralTab } from './general-tab.tsx';
import { KeysTab } from './keys-tab.tsx';
import { LiveTab } from './live-tab.tsx';

const route = getRouteApi('/shell/i/$integration/$mode/settings');

/** An integration's name and defaults, its brand on the page where customers pay, its keys, its payouts, what the person is told of it, and its way to live mode. */
export function SettingsPage(): ReactNode {
  const { integration, mode, integrationId } = useScope();
  const { tab = 'general' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHeader title={t('Settings')} aside={<ApprovalBadge approval={integration.approval} />} />
      <Tabs
        label={t('Settings')}
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next }, replace: true })}
        tabs={[
          { value: 'general', label: t('General'), content: <GeneralTab key={integrationId} /> },
          { value: 'page', label: t('Payment page'), content: <BrandTab key={integrationId} /> },
          { value: 'keys', label: t('Keys'), content: <KeysTab key={`${integrationId} ${mode}`} /> },
          {
            value: 'payouts',
            label: t('Payouts'),
            content: <PayoutSettingsTab key={`${integrationId} ${mode}`} />,
          },
          {
            value: 'notices',
            label: t('Notices'),
            content: <NoticesTab key={`${integrationId} ${mode}`} />,
          },
          { value: 'live', label: t('Going live'), content: <LiveTab key={integrationId} /> },
        ]}
      />
    </>
  );
}
