import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { SkeletonRows } from './skeleton.tsx';

/** What was read, or a skeleton while it loads, or the error. */
export function Loaded<T>({
  query,
  rows = 4,
  children,
}: {
  query: UseQueryResult<T>;
  /** How many grey rows are shown while it loads. */
  rows?: number;
  children: (data: T) => ReactNode;
}): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <SkeletonRows rows={rows} />;
}
