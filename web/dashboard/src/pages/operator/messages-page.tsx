import { Mail } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function MessagesPage(): ReactNode {
  return (
    <>
      <PageHeader title="Messages" />
      <EmptyState icon={Mail} title="Nothing here yet">
        E-mail of this installation, and the announcement.
      </EmptyState>
    </>
  );
}
