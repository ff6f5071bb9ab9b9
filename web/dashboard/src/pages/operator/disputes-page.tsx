import { Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function DisputesPage(): ReactNode {
  return (
    <>
      <PageHeader title="Disputes" />
      <EmptyState icon={Scale} title="Nothing here yet">
        Appeals that wait for an operator.
      </EmptyState>
    </>
  );
}
