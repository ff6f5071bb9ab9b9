import { LogIn } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function SignInPage(): ReactNode {
  return (
    <>
      <PageHeader title="Sign in" />
      <EmptyState icon={LogIn} title="Nothing here yet">
        Your e-mail address and password.
      </EmptyState>
    </>
  );
}
