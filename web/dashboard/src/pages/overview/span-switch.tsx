import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { type Span, spans } from './search.ts';

/** How many days the page shows; the choice is kept in the address. */
export function SpanSwitch({ days }: { days: Span }): ReactNode {
  return (
    <nav aria-label={t('Days')} className="flex gap-1 rounded-lg bg-sunken p-1">
      {spans.map((span) => (
        <Link
          key={span}
          to="."
          search={(search) => ({ ...search, days: span })}
          replace
          activeProps={{}}
          aria-current={span === days ? 'true' : undefined}
          className={clsx(
            'flex h-8 items-center rounded-md px-3 text-sm font-semibold whitespace-nowrap',
            span === days ? 'border border-line-strong bg-surface text-ink' : 'text-quiet hover:text-ink',
          )}
        >
          {t('{span} days', { span })}
        </Link>
      ))}
    </nav>
  );
}
