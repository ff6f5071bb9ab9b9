import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Button, buttonClass } from '../button/button.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Set when this page of a list was reached from the one before it, so that going back leads there. */
    fromNewer?: boolean;
  }
}

export type PaginationProps = {
  /** The cursor in the address; undefined on the first page. */
  cursor: string | undefined;
  next: string | null;
  /** Words between the buttons, such as `50 payments`. */
  children?: ReactNode;
};

/** Older and newer pages of a list, by the `cursor` in the address. Nothing is shown for a list of one page. */
export function Pagination({ cursor, next, children }: PaginationProps): ReactNode {
  const router = useRouter();
  const { state } = useLocation();
  if (cursor === undefined && next === null) {
    return children === undefined ? null : <p className="py-1.5 text-sm text-quiet">{children}</p>;
  }
  return (
    <nav aria-label={t('Pages of the list')} className="flex items-center justify-between gap-3">
      {cursor === undefined ? (
        <Button size="small" variant="plain" disabled>
          <ChevronLeft size={16} aria-hidden /> {t('Newer')}
        </Button>
      ) : state.fromNewer ? (
        <Button size="small" variant="plain" onClick={() => router.history.back()}>
          <ChevronLeft size={16} aria-hidden /> {t('Newer')}
        </Button>
      ) : (
        <Link to="." search={withoutCursor} className={buttonClass('plain', 'small')}>
          <ChevronLeft size={16} aria-hidden /> {t('Newest')}
        </Link>
      )}
      {children !== undefined && <p className="text-sm text-quiet">{children}</p>}
      {next === null ? (
        <Button size="small" variant="plain" disabled>
          {t('Older')} <ChevronRight size={16} aria-hidden />
        </Button>
      ) : (
        <Link
          to="."
          search={(search: object) => ({ ...search, cursor: next })}
          state={{ fromNewer: true }}
          className={buttonClass('plain', 'small')}
        >
          {t('Older')} <ChevronRight size={16} aria-hidden />
        </Link>
      )}
    </nav>
  );
}

function withoutCursor({ cursor: _, ...search }: { cursor?: string }): object {
  return search;
}
