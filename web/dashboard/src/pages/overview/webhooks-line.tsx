import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useScope } from '../../api/scope.ts';
import { counted, t } from '../../texts/t.ts';
import type { WebhookOverview } from './queries.ts';

/** True where nothing failed within a day, and Florin had to turn no endpoint off. */
export function areWell({ failed, endpoints }: WebhookOverview): boolean {
  return failed === 0 && endpoints.disabled === 0;
}

/** Webhooks while all is well: one line. */
export function WebhooksLine({ webhooks }: { webhooks: WebhookOverview }): ReactNode {
  const { integrationId: integration, mode } = useScope();
  const { delivered, endpoints } = webhooks;
  return (
    <p className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border border-line bg-surface px-4 py-2 text-sm sm:px-5">
      <CircleCheck size={18} aria-hidden className="shrink-0 text-paid" />
      <span className="min-w-0 flex-1">
        {delivered === 0
          ? t('No webhook was due in the last 24 hours.')
          : counted(
              delivered,
              '1 webhook was delivered in the last 24 hours, none failed.',
              '{count} webhooks were delivered in the last 24 hours, none failed.',
            )}
        {endpoints.paused > 0 && (
          <span className="text-quiet">
            {' '}
            {counted(endpoints.paused, '1 endpoint is paused.', '{count} endpoints are paused.')}
          </span>
        )}
      </span>
      <Link
        to="/i/$integration/$mode/webhooks"
        params={{ integration, mode }}
        className="text-accent-strong underline-offset-4 hover:underline"
      >
        {t('Open webhooks')}
      </Link>
    </p>
  );
}
