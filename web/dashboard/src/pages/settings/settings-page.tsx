import { Settings } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function SettingsPage(): ReactNode {
  return (
    <>
      <PageHeader title="Settings" />
      <EmptyState icon={Settings} title="Nothing here yet">
        Keys, redirects, deadlines and live approval.
      </EmptyState>
    </>
  );
}
