import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';

/** A grey shape in place of what is loading. */
export function Skeleton({ className = 'h-4 w-full' }: { className?: string }): ReactNode {
  return <span aria-hidden className={clsx('block animate-pulse rounded-md bg-sunken', className)} />;
}

/** Rows that are loading; screen readers announce it once. */
export function SkeletonRows({ rows = 6 }: { rows?: number }): ReactNode {
  return (
    <div role="status" className="overflow-hidden rounded-xl border border-line bg-surface">
      <span className="sr-only">{t('Loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all of these rows are the same
        <div key={row} className="flex items-center gap-6 border-b border-line px-4 py-3.5 last:border-0">
          <Skeleton className="h-4 w-1/4" />
          <Skeleton className="h-4 w-1/6" />
          <Skeleton className="ml-auto h-4 w-1/5" />
        </div>
      ))}
    </div>
  );
}
