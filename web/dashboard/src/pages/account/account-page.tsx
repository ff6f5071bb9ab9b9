import { CircleUser } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function AccountPage(): ReactNode {
  return (
    <>
      <PageHeader title="Your account" />
      <EmptyState icon={CircleUser} title="Nothing here yet">
        Your name, password, passkeys and sessions.
      </EmptyState>
    </>
  );
}
