import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScope } from '../../api/scope.ts';
import { t } from '../../texts/t.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { Card } from '../../ui/layout/card.tsx';

/** Shown in place of the chart of webhooks while there is no endpoint. */
export function NoEndpoint(): ReactNode {
  const { integrationId, mode } = useScope();
  return (
    <Card
      title={t('Webhooks')}
      actions={
        <Link
          to="/i/$integration/$mode/webhooks"
          params={{ integration: integrationId, mode }}
          search={{ edit: 'new' }}
          className={buttonClass('quiet', 'small')}
        >
          {t('Create an endpoint')}
        </Link>
      }
    >
      <p className="text-sm text-quiet">
        {t(
          'Your server gets no webhook yet when a payment is completed. Create an endpoint to receive them.',
        )}
      </p>
    </Card>
  );
}
