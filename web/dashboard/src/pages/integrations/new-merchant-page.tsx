import { Store } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function NewMerchantPage(): ReactNode {
  return (
    <>
      <PageHeader title="Name your business" />
      <EmptyState icon={Store} title="Nothing here yet">
        A business holds integrations and the people who run them.
      </EmptyState>
    </>
  );
}
