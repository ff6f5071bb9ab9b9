import { Store } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function MerchantPage(): ReactNode {
  return (
    <>
      <PageHeader title="Merchant" />
      <EmptyState icon={Store} title="Nothing here yet">
        One business with its integrations.
      </EmptyState>
    </>
  );
}
