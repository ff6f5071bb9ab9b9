import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronRight, CircleCheck, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Badge } from '../../ui/display/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';

export type Need = {
  count: number;
  /** What waits, after its count: of one, and of several. */
  words: readonly [one: string, many: string];
  icon: LucideIcon;
  /** It waits in test mode, beside others that wait in live mode. */
  isTest?: boolean;
  to: Pick<LinkProps, 'to' | 'params' | 'search'>;
};

/** What waits for a person, each a link to its rows; one quiet line when nothing does. */
export function NeedsList({
  needs,
  countedUpTo,
}: {
  needs: readonly Need[];
  countedUpTo: number;
}): ReactNode {
  const open = needs.filter(({ count }) => count > 0);
  if (open.length === 0) {
    return (
      <p className="flex min-h-12 items-center gap-3 rounded-xl border border-line bg-surface px-4 text-sm sm:px-5">
        <CircleCheck size={18} aria-hidden className="shrink-0 text-paid" /> {t('Nothing waits for you.')}
      </p>
    );
  }
  return (
    <Card title={t('Waits for you')}>
      <ul className="-mx-2 -my-2 grid">
        {open.map(({ count, words, icon: Icon, to, isTest = false }) => (
          <li key={`${words[0]} ${isTest}`}>
            <Link
              {...to}
              className="flex min-h-11 items-center gap-3 rounded-lg px-2 text-sm hover:bg-sunken"
            >
              <Icon size={18} aria-hidden className="shrink-0 text-waiting" />
              <span className="min-w-0 flex-1">
                <strong className="font-semibold tabular-nums">
                  {count < countedUpTo ? count : t('{countedUpTo} or more', { countedUpTo })}
                </strong>{' '}
                {words[count === 1 ? 0 : 1]}
              </span>
              {isTest && <Badge tone="test">{t('Test')}</Badge>}
              <ChevronRight size={16} aria-hidden className="shrink-0 text-quiet" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
