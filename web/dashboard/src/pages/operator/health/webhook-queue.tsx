import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Stat } from '../../../ui/display/stat.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Section } from '../../../ui/layout/card.tsx';
import { Loaded } from '../loaded.tsx';
import { useWebhookQueue } from './queries.ts';

/** How many webhooks wait, and how long. */
export function WebhookQueue(): ReactNode {
  const queue = useWebhookQueue();
  return (
    <Section title="Webhooks">
      <Loaded query={queue} rows={1}>
        {({ pending, failed, endpoints_due, oldest_due_at, counted_up_to }) => {
          const figure = (n: number) => n.toLocaleString('en') + (n === counted_up_to ? ' or more' : '');
          return (
            <div className="grid gap-3 sm:grid-cols-3">
              <Stat
                label="Waiting to be sent"
                value={figure(pending)}
                hint="Including those that wait for a retry"
              />
              <Stat
                label="Oldest that is due"
                value={oldest_due_at === null ? 'None' : <Time at={oldest_due_at} />}
                tone={oldest_due_at === null ? 'ink' : 'waiting'}
                hint={endpoints_due === 0 ? 'Everything is sent on time' : `At ${endpoints_due} endpoints`}
              />
              <Stat
                label="Failed for good"
                tone={failed > 0 ? 'lost' : 'ink'}
                value={
                  <Link to="." search={{ tab: 'deliveries' }} className="row-link">
                    {figure(failed)}
                  </Link>
                }
                hint="Not retried any more"
              />
            </div>
          );
        }}
      </Loaded>
    </Section>
  );
}
