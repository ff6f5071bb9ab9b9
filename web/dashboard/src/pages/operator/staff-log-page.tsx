import { ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function StaffLogPage(): ReactNode {
  return (
    <>
      <PageHeader title="Staff log" />
      <EmptyState icon={ScrollText} title="Nothing here yet">
        What operators did.
      </EmptyState>
    </>
  );
}
