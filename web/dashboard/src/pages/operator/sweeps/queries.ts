import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type {
  LeftBehind,
  Sender,
  Sweep,
  Sweeps,
} from '../../../../../../gateway/src/rails/evm/sweep/console-answers.ts';
import { api } from '../../../api/client.ts';
import { withQuery } from '../../../api/list.ts';

export type { LeftBehind, Sender, Sweep, Sweeps };

const path = '/console/operator/sweeps';
const lookMs = 5_000;

/** Read again while the tab is open, because sweeps continue by themselves. */
export function useSweeps(cursor: string | undefined): UseQueryResult<Sweeps> {
  const query = { cursor };
  return useQuery({
    queryKey: [path, query],
    queryFn: ({ signal }) => api<Sweeps>(withQuery(path, query), { signal }),
    refetchInterval: lookMs,
  });
}
