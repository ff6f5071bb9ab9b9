import { Landmark } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function BalancesPage(): ReactNode {
  return (
    <>
      <PageHeader title="Balances" />
      <EmptyState icon={Landmark} title="Nothing here yet">
        What you hold in each asset, line by line.
      </EmptyState>
    </>
  );
}
