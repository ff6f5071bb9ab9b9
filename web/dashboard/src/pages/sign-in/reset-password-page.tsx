import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function ResetPasswordPage(): ReactNode {
  return (
    <>
      <PageHeader title="Choose a new password" />
      <EmptyState icon={KeyRound} title="Nothing here yet">
        The link in our message leads here.
      </EmptyState>
    </>
  );
}
