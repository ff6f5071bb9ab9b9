import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScope } from '../../api/scope.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { Card } from '../../ui/layout/card.tsx';

/** Stands where webhook health will be. */
export function NoEndpoint(): ReactNode {
  const { integrationId, mode } = useScope();
  return (
    <Card
      title="Webhooks"
      className="lg:col-span-2"
      actions={
        <Link
          to="/i/$integration/$mode/webhooks"
          params={{ integration: integrationId, mode }}
          search={{ edit: 'new' }}
          className={buttonClass('quiet', 'small')}
        >
          Add an endpoint
        </Link>
      }
    >
      <p className="text-sm text-quiet">
        Nobody is told yet when a payment is paid. With an endpoint your server hears of it at once.
      </p>
    </Card>
  );
}
