import { BadgeCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function ApprovalsPage(): ReactNode {
  return (
    <>
      <PageHeader title="Approvals" />
      <EmptyState icon={BadgeCheck} title="Nothing here yet">
        Integrations that ask to go live.
      </EmptyState>
    </>
  );
}
