import { MailCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function VerifyEmailPage(): ReactNode {
  return (
    <>
      <PageHeader title="Verify your e-mail address" />
      <EmptyState icon={MailCheck} title="Nothing here yet">
        The link in our message leads here.
      </EmptyState>
    </>
  );
}
