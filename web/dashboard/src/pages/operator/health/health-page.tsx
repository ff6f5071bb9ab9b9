import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { OperatorTabs } from '../operator-tabs.tsx';
import { FailedDeliveries } from './failed-deliveries.tsx';
import { Processes } from './processes.tsx';
import { useProcesses, useRails, useWebhookQueue } from './queries.ts';
import { Rails } from './rails.tsx';
import { Sweeps } from './sweeps.tsx';
import { WebhookQueue } from './webhook-queue.tsx';

/** Whether the gateways, the rails and the sending of webhooks keep up. */
export function HealthPage(): ReactNode {
  return (
    <>
      <PageHeader title={t('Health')} description={t('Refreshed every five seconds.')} />
      <OperatorTabs
        label={t('Health')}
        tabs={[
          {
            value: 'now',
            label: t('Now'),
            content: <Now />,
          },
          { value: 'sweeps', label: t('Sweeps'), content: <Sweeps /> },
          { value: 'deliveries', label: t('Failed deliveries'), content: <FailedDeliveries /> },
        ]}
      />
    </>
  );
}

/** Its parts are shown together, so that none pushes another one down. */
function Now(): ReactNode {
  const reads = [useWebhookQueue(), useRails(), useProcesses()];
  if (reads.some(({ isPending }) => isPending)) return <SkeletonRows rows={8} />;
  return (
    <>
      <WebhookQueue />
      <Rails />
      <Processes />
    </>
  );
}
