import { CircleCheck, CirclePause, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { ChaosBadge } from '../chaos/badge.tsx';
import type { Endpoint } from '../types/endpoint.ts';

/** Whether an endpoint is sent to, whether that works, and whether it is disturbed on purpose. */
export function EndpointStatus({ endpoint }: { endpoint: Endpoint }): ReactNode {
  return (
    <>
      <StatusWord endpoint={endpoint} />
      <ChaosBadge chaos={endpoint.chaos} />
    </>
  );
}

function StatusWord({ endpoint: { status, failing_since } }: { endpoint: Endpoint }): ReactNode {
  if (status === 'disabled') {
    return (
      <Badge tone="lost" icon={CircleX}>
        {t('Turned off')}
      </Badge>
    );
  }
  if (status === 'paused') {
    return (
      <Badge tone="quiet" icon={CirclePause}>
        {t('Paused')}
      </Badge>
    );
  }
  return failing_since === null ? (
    <Badge tone="paid" icon={CircleCheck}>
      {t('Active')}
    </Badge>
  ) : (
    <Badge tone="waiting" icon={CircleX}>
      {t('Failing')}
    </Badge>
  );
}
