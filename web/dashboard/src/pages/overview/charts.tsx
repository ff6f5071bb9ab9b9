import type { ReactNode } from 'react';
import { NoEndpoint } from './no-endpoint.tsx';
import { OutcomesChart } from './outcomes-chart.tsx';
import type { Overview } from './queries.ts';
import { SuccessChart } from './success-chart.tsx';
import { VolumeChart } from './volume-chart.tsx';
import { WebhooksChart } from './webhooks-chart.tsx';

/** The page's charts, in a file that loads when they are shown. */
export function Charts({ overview }: { overview: Overview }): ReactNode {
  const { active, paused, disabled } = overview.webhooks.endpoints;
  const isTold = active + paused + disabled > 0;
  return (
    <div className="grid min-w-0 gap-4 lg:grid-cols-2">
      <VolumeChart overview={overview} />
      <OutcomesChart overview={overview} />
      <SuccessChart overview={overview} />
      {isTold ? <WebhooksChart webhooks={overview.webhooks} /> : <NoEndpoint />}
    </div>
  );
}
