import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScope } from '../../api/scope.ts';

/** A payment's reference, which leads to it. */
export function PaymentLink({ reference }: { reference: string }): ReactNode {
  const { integrationId: integration, mode } = useScope();
  return (
    <Link
      to="/i/$integration/$mode/payments/$reference"
      params={{ integration, mode, reference }}
      className="font-mono text-accent-strong underline-offset-4 hover:underline"
    >
      {reference}
    </Link>
  );
}
