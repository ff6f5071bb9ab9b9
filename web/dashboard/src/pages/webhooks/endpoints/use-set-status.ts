import type { UseMutationResult } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { useScope } from '../../../api/scope.ts';
import { t } from '../../../texts/t.ts';
import { useAct } from '../../../ui/toast/act.ts';
import type { Endpoint } from '../types/endpoint.ts';

type Status = 'active' | 'paused';

/** Pauses an endpoint, or activates it, which sends what was held for it. */
export function useSetStatus({ id }: Pick<Endpoint, 'id'>): UseMutationResult<Status, unknown, Status> {
  const { path } = useScope();
  return useAct<Status, Status>(
    async (status) => {
      await api(path(`/webhooks/${id}`), { method: 'PATCH', body: { status } });
      return status;
    },
    {
      changes: [path('/webhooks'), path('/deliveries')],
      done: (status) => (status === 'active' ? t('Endpoint activated') : t('Endpoint paused')),
    },
  );
}
