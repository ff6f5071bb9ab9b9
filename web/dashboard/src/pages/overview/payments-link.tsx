import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScope } from '../../api/scope.ts';
import type { PaymentsSearch } from '../payments/search.ts';

export type PaymentsLinkProps = { search: PaymentsSearch; className?: string; children: ReactNode };

/** Links to the payments that a number counts. */
export function PaymentsLink({ search, className, children }: PaymentsLinkProps): ReactNode {
  const { integrationId, mode } = useScope();
  return (
    <Link
      to="/i/$integration/$mode/payments"
      params={{ integration: integrationId, mode }}
      search={search}
      className={className ?? 'text-accent-strong underline-offset-4 hover:underline'}
    >
      {children}
    </Link>
  );
}
