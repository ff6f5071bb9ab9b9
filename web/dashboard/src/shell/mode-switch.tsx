import { Link, useMatches } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { Mode } from '../api/scope.ts';
import { t } from '../texts/t.ts';
import { integrationItems } from './nav/nav-items.ts';
import { usePlace } from './nav/place.ts';

const words: Record<Mode, string> = { test: t('Test'), live: t('Live') };
const fallback = '/i/$integration/$mode/overview';

/** Test or live. The page stays the same; its search and the open row belong to one mode and are dropped. */
export function ModeSwitch(): ReactNode {
  const { integration, mode, isOpen } = usePlace();
  const matches = useMatches();
  if (!integration) return null;
  const open = integrationItems.find(({ to }) => matches.some(({ fullPath }) => fullPath.startsWith(to)));
  return (
    <nav aria-label={t('Mode')} className="grid shrink-0 grid-cols-2 gap-1 rounded-lg bg-sunken p-1">
      {(['test', 'live'] as const).map((each) => (
        <Link
          key={each}
          to={(isOpen && open?.to) || fallback}
          params={{ integration: integration.id, mode: each }}
          activeProps={{}}
          aria-current={each === mode ? 'true' : undefined}
          className={clsx(
            'flex h-7 items-center justify-center rounded-md text-sm font-semibold transition-colors',
            each !== mode && 'text-quiet hover:text-ink',
            each === mode &&
              (mode === 'test' ? 'bg-test text-on-test' : 'border border-line-strong bg-surface text-ink'),
          )}
        >
          {words[each]}
        </Link>
      ))}
    </nav>
  );
}
