import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Stat } from '../../../ui/display/stat.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { useWebhookQueue } from './queries.ts';

/** How many webhooks wait, and how long. */
export function WebhookQueue(): ReactNode {
  const queue = useWebhookQueue();
  return (
    <Section title={t('Webhooks')} description={t('Of live mode.')}>
      <Loaded query={queue} rows={1}>
        {({ live: { pending, failed, endpoints_due, oldest_due_at }, test, counted_up_to }) => {
          const figure = (n: number) =>
            n === counted_up_to
              ? t('{count} or more', { count: n.toLocaleString('en') })
              : n.toLocaleString('en');
          return (
            <div className="grid gap-3 sm:grid-cols-3">
              <Stat
                label={t('Waiting to be sent')}
                value={figure(pending)}
                hint={t('Including those that wait for a retry')}
              />
              <Stat
                label={t('Oldest that is due')}
                value={oldest_due_at === null ? t('None') : <Time at={oldest_due_at} />}
                tone={oldest_due_at === null ? 'ink' : 'waiting'}
                hint={
                  endpoints_due === 0
                    ? t('Everything is sent on time')
                    : t('At {endpoints_due} endpoints', { endpoints_due })
                }
              />
              <Stat
                label={t('Failed for good')}
                tone={failed > 0 ? 'lost' : 'ink'}
                value={
                  <Link to="." search={{ tab: 'deliveries' }} className="row-link">
                    {figure(failed)}
                  </Link>
                }
                hint={t('Not retried any more')}
              />
              {test.pending + test.failed > 0 && (
                <p className="flex flex-wrap items-center gap-2 text-sm text-quiet sm:col-span-3">
                  <Badge tone="test">{t('Test')}</Badge>
                  {t('{pending} wait to be sent, {failed} failed for good.', {
                    pending: figure(test.pending),
                    failed: figure(test.failed),
                  })}
                </p>
              )}
            </div>
          );
        }}
      </Loaded>
    </Section>
  );
}
