import { SquareTerminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function DevelopersPage(): ReactNode {
  return (
    <>
      <PageHeader title="Developers" />
      <EmptyState icon={SquareTerminal} title="Nothing here yet">
        Requests, snippets and the test clock.
      </EmptyState>
    </>
  );
}
