import { Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export function WebhooksPage(): ReactNode {
  return (
    <>
      <PageHeader title="Webhooks" />
      <EmptyState icon={Webhook} title="Nothing here yet">
        Endpoints that hear of payments, and what was sent to them.
      </EmptyState>
    </>
  );
}
