import type { ReactNode } from 'react';
import { Skeleton, SkeletonRows } from '../ui/feedback/skeleton.tsx';

/** The shape of a page that is loading. */
export function PageSkeleton(): ReactNode {
  return (
    <div className="grid gap-6">
      <Skeleton className="h-9 w-48" />
      <SkeletonRows />
    </div>
  );
}
