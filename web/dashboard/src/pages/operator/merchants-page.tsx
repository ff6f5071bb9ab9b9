import { Store } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function MerchantsPage(): ReactNode {
  return (
    <>
      <PageHeader title="Merchants" />
      <EmptyState icon={Store} title="Nothing here yet">
        Every business of this installation.
      </EmptyState>
    </>
  );
}
