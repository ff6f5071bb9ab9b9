import { UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function InvitationPage(): ReactNode {
  return (
    <>
      <PageHeader title="Join a business" />
      <EmptyState icon={UserPlus} title="Nothing here yet">
        Somebody invited you.
      </EmptyState>
    </>
  );
}
