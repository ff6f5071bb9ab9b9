import { HeartPulse } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function HealthPage(): ReactNode {
  return (
    <>
      <PageHeader title="Health" />
      <EmptyState icon={HeartPulse} title="Nothing here yet">
        Rails, workers and deliveries.
      </EmptyState>
    </>
  );
}
