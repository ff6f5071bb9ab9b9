import { useQuery } from '@tanstack/react-query';
import type {
  EndpointHealth,
  RailFault,
  RailHealth,
  ScanHealth,
} from '../../../../../../gateway/src/networks/rail-answers.ts';
import type { LoopReport, ProcessReport } from '../../../../../../gateway/src/operations/console-answers.ts';
import type { DoctorFinding, DoctorView } from '../../../../../../gateway/src/operations/doctor/answers.ts';
import type {
  FailedDelivery,
  QueueState,
} from '../../../../../../gateway/src/webhooks/answers/console-answers.ts';
import { api } from '../../../api/client.ts';
import { type Page, useList } from '../../../api/list.ts';
import { t } from '../../../texts/t.ts';
import { useAct } from '../../../ui/toast/act.ts';

export type {
  DoctorFinding,
  EndpointHealth,
  FailedDelivery,
  LoopReport,
  ProcessReport,
  QueueState,
  RailFault,
  RailHealth,
  ScanHealth,
};

const root = '/console/operator';

const watchMs = 5_000;

/** Reads something that changes by itself, again every few seconds. */
function useWatched<T>(path: string) {
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api<T>(path, { signal }),
    refetchInterval: watchMs,
  });
}

export const useProcesses = () => useWatched<Page<ProcessReport>>(`${root}/processes`);
export const useRails = () => useWatched<Page<RailHealth>>(`${root}/rails`);
export const useWebhookQueue = () => useWatched<QueueState>(`${root}/webhook-queue`);
export const useFailedDeliveries = (cursor: string | undefined) =>
  useList<FailedDelivery>(`${root}/failed-deliveries`, { cursor });

export const useResend = () =>
  useAct((id: string) => api(`${root}/failed-deliveries/${id}/resend`, { method: 'POST' }), {
    changes: [`${root}/failed-deliveries`, `${root}/webhook-queue`],
    done: t('The webhook is being sent again.'),
  });

export const useDoctor = () => useWatched<DoctorView>(`${root}/doctor`);

export const useCheckNow = () =>
  useAct(() => api<DoctorView>(`${root}/doctor/check`, { method: 'POST' }), {
    changes: [`${root}/doctor`, `${root}/attention`],
    done: t('The installation was looked at.'),
  });
