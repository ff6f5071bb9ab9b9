import { Coins } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function PaymentsPage(): ReactNode {
  return (
    <>
      <PageHeader title="Payments" />
      <EmptyState icon={Coins} title="Nothing here yet">
        Payments appear here as your back end makes them.
      </EmptyState>
    </>
  );
}
