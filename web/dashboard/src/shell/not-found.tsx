import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { buttonClass } from '../ui/button/button.tsx';
import { EmptyState } from '../ui/feedback/empty-state.tsx';
import { PageHeader } from '../ui/layout/page-header.tsx';

/** For addresses without a page. */
export function LostPage(): ReactNode {
  return (
    <main className="mx-auto grid max-w-2xl gap-6 px-4 py-16">
      <NotFound />
    </main>
  );
}

/** For an object that a page does not find: it was removed, or belongs to others. */
export function NotFound(): ReactNode {
  return (
    <>
      <PageHeader title={t('Not found')} />
      <EmptyState
        icon={Compass}
        title={t('There is nothing at this address')}
        action={
          <Link to="/" className={buttonClass('primary')}>
            {t('Back to the dashboard')}
          </Link>
        }
      >
        {t('It may have been removed, or it belongs to a business that you are not a member of.')}
      </EmptyState>
    </>
  );
}
