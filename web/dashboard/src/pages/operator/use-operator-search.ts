import { useNavigate, useSearch } from '@tanstack/react-router';
import { changeSearch } from '../../api/change-search.ts';
import type { OperatorSearch } from './search.ts';

type Patch = { [K in keyof OperatorSearch]?: OperatorSearch[K] | undefined };

/** The search of an operator's page, and a function that changes it; undefined removes a part. */
export function useOperatorSearch(): [OperatorSearch, (patch: Patch) => void] {
  const search = useSearch({ strict: false }) as OperatorSearch;
  const navigate = useNavigate();
  const change = (patch: Patch): void => {
    void navigate({ to: '.', search: changeSearch(patch), replace: true });
  };
  return [search, change];
}
