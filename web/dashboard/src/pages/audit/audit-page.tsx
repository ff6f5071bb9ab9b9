import { ScrollText } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function AuditPage(): ReactNode {
  return (
    <>
      <PageHeader title="Audit log" />
      <EmptyState icon={ScrollText} title="Nothing here yet">
        Every change, by whom and from where.
      </EmptyState>
    </>
  );
}
