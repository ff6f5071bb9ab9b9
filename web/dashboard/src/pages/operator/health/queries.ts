import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { type Page, useList } from '../../../api/list.ts';
import { useAct } from '../../../ui/toast/act.ts';

const root = '/console/operator';

export type LoopReport = {
  name: string;
  every_seconds: number;
  last_done_at: string | null;
  last_fault: { at: string; message: string } | null;
};

export type ProcessReport = {
  id: string;
  host: string;
  pid: number;
  version: string;
  started_at: string;
  seen_at: string;
  is_alive: boolean;
  loops: LoopReport[];
};

export type RailHealth = {
  rail: string;
  chain: string | null;
  last_block: string | null;
  lag_seconds: number;
  endpoint: string | null;
  status: 'up' | 'behind' | 'down';
  faults: RailFault[];
  /** Null where there are no blocks. */
  scan: ScanHealth | null;
};

export type RailFault = { code: string; message: string };

export type ScanHealth = {
  head: string | null;
  final: string | null;
  blocks_behind: number;
  /** While it catches up, else null. */
  blocks_per_second: number | null;
  seconds_left: number | null;
  /** How far it is on its way, from 0 to 1. */
  caught_up: number | null;
  endpoints: EndpointHealth[];
};

export type EndpointHealth = {
  name: string;
  state: 'unused' | 'up' | 'behind' | 'suspect' | 'resting' | 'wrong_chain';
  fault: string | null;
  latency_ms: number | null;
  lag_blocks: number | null;
  span: number;
  retry_seconds: number | null;
};

export type QueueState = {
  pending: number;
  failed: number;
  endpoints_due: number;
  oldest_due_at: string | null;
  counted_up_to: number;
};

export type FailedDelivery = {
  id: string;
  endpoint_id: string;
  url: string;
  endpoint_status: string;
  integration_id: string;
  integration_name: string;
  mode: 'test' | 'live';
  event_type: string;
  payment_reference: string;
  attempts: number;
  last_attempt_at: string | null;
  last_status_code: number | null;
  last_error: string | null;
};

const watchMs = 5_000;

/** Reads something that changes by itself, anew every few seconds. */
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
    done: 'The webhook is on its way again.',
  });
