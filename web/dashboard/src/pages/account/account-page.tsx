import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { ActivityTab } from './activity-tab.tsx';
import { ProfileTab } from './profile-tab.tsx';
import type { AccountTab } from './search.ts';
import { SecurityTab } from './security-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';

const route = getRouteApi('/shell/account');

/** A person's own account: profile, sign-in, sessions and activity. */
export function AccountPage(): ReactNode {
  const { tab = 'profile' } = route.useSearch();
  const navigate = useNavigate();
  return (
    <>
      <PageHeader
        title={t('Your account')}
        description={t('It belongs to you, not to the businesses you work for.')}
      />
      <Tabs<AccountTab>
        label={t('Your account')}
        value={tab}
        onChange={(next) => void navigate({ to: '/account', search: { tab: next }, replace: true })}
        tabs={[
          { value: 'profile', label: t('Profile'), content: <ProfileTab /> },
          { value: 'security', label: t('Sign-in'), content: <SecurityTab /> },
          { value: 'sessions', label: t('Sessions'), content: <SessionsTab /> },
          { value: 'activity', label: t('Recent activity'), content: <ActivityTab /> },
        ]}
      />
    </>
  );
}
