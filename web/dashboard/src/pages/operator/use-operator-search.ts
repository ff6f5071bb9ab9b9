import { useNavigate, useSearch } from '@tanstack/react-router';
import type { OperatorSearch } from './search.ts';

type Patch = { [K in keyof OperatorSearch]?: OperatorSearch[K] | undefined };

/** What the address of an operator's page says, and a way to say something else; undefined takes a part away. */
export function useOperatorSearch(): [OperatorSearch, (patch: Patch) => void] {
  const search = useSearch({ strict: false }) as OperatorSearch;
  const navigate = useNavigate();
  const change = (patch: Patch): void => {
    const search = (old: object) =>
      Object.fromEntries(Object.entries({ ...old, ...patch }).filter(([, value]) => value !== undefined));
    void navigate({ to: '.', search, replace: true });
  };
  return [search, change];
}
