import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type {
  ColorsAnswer,
  PageDomainAnswer,
  Settings,
} from '../../../../../gateway/src/identity/console/answers/integrations.ts';
import { api } from '../../api/client.ts';
import { useRead, withQuery } from '../../api/list.ts';
import { useScope } from '../../api/scope.ts';

export type { ColorsAnswer, PageDomainAnswer, Settings };

export function useSettings(): UseQueryResult<Settings> {
  return useRead<Settings>(useScope().integrationPath(''));
}

export function usePageDomain(): UseQueryResult<PageDomainAnswer> {
  return useRead<PageDomainAnswer>(useScope().integrationPath('/page-domain'));
}

/** How the page shows a colour; null is none. While the next one loads, the last one stays. */
export function useColors(color: string | null): UseQueryResult<ColorsAnswer> {
  const path = useScope().integrationPath('/brand-colors');
  return useQuery({
    queryKey: [path, color],
    queryFn: ({ signal }) => api<ColorsAnswer>(withQuery(path, { color: color ?? undefined }), { signal }),
    placeholderData: keepPreviousData,
    enabled: color !== null,
  });
}
