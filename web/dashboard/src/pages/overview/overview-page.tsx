import { ChartColumn } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function OverviewPage(): ReactNode {
  return (
    <>
      <PageHeader title="Overview" />
      <EmptyState icon={ChartColumn} title="Nothing here yet">
        Volume, success rate and webhook health.
      </EmptyState>
    </>
  );
}
