import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { useOperatorAttention } from '../../attention/queries.ts';
import { OperatorTabs } from '../operator-tabs.tsx';
import { Doctor } from './doctor.tsx';
import { FailedDeliveries } from './failed-deliveries.tsx';
import { Processes } from './processes.tsx';
import { useProcesses, useRails, useWebhookQueue } from './queries.ts';
import { Rails } from './rails.tsx';
import { WebhookQueue } from './webhook-queue.tsx';

/** Whether the gateways, the rails and the sending of webhooks keep up. */
export function HealthPage(): ReactNode {
  const attention = useOperatorAttention(true).data;
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
          {
            value: 'deliveries',
            label: t('Failed deliveries'),
            content: <FailedDeliveries />,
            waits: attention?.deliveries,
          },
          {
            value: 'doctor',
            label: t('Doctor'),
            content: <Doctor />,
            waits: attention?.faults,
          },
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
