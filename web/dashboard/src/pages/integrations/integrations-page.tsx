import { Blocks } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function IntegrationsPage(): ReactNode {
  return (
    <>
      <PageHeader title="Integrations" />
      <EmptyState icon={Blocks} title="Nothing here yet">
        An integration is an app of yours that takes payments.
      </EmptyState>
    </>
  );
}
