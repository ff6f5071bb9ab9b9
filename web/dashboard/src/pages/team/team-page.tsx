import { Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function TeamPage(): ReactNode {
  return (
    <>
      <PageHeader title="Team" />
      <EmptyState icon={Users} title="Nothing here yet">
        People of this business and their roles.
      </EmptyState>
    </>
  );
}
