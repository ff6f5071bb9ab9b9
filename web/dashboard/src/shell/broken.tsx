import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { isRefusal } from '../api/api-error.ts';
import { ErrorState } from '../ui/feedback/error-state.tsx';
import { PageSkeleton } from './page-skeleton.tsx';

/** Shown in place of a page that failed to load or to render. */
export function Broken({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  useEffect(() => console.error(error), [error]);
  // The client is opening the sign-in page.
  if (isRefusal(error, 'not_signed_in')) return <PageSkeleton />;

  async function retry(): Promise<void> {
    reset();
    await router.invalidate();
  }

  return (
    <div className="p-4">
      <ErrorState error={error} onRetry={retry} />
    </div>
  );
}
