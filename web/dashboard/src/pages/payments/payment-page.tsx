import { Coins } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function PaymentPage(): ReactNode {
  return (
    <>
      <PageHeader title="Payment" />
      <EmptyState icon={Coins} title="Nothing here yet">
        One payment with its timeline.
      </EmptyState>
    </>
  );
}
