import { Vault } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function MoneyPage(): ReactNode {
  return (
    <>
      <PageHeader title="Money" />
      <EmptyState icon={Vault} title="Nothing here yet">
        Currencies, rates, suspense, receivables and the ledger audit.
      </EmptyState>
    </>
  );
}
