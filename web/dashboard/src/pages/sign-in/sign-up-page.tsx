import { UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function SignUpPage(): ReactNode {
  return (
    <>
      <PageHeader title="Create an account" />
      <EmptyState icon={UserPlus} title="Nothing here yet">
        An account is yours alone; you can join any number of businesses.
      </EmptyState>
    </>
  );
}
