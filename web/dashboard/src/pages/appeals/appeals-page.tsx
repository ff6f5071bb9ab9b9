import { Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function AppealsPage(): ReactNode {
  return (
    <>
      <PageHeader title="Appeals" />
      <EmptyState icon={Scale} title="Nothing here yet">
        Payments whose money and amount do not agree, and disputes.
      </EmptyState>
    </>
  );
}
