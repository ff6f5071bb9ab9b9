import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { chipsOf, useFilters } from './filters.ts';

/** The active filters, each with a button that removes it. */
export function FilterChips(): ReactNode {
  const { search, change } = useFilters();
  const chips = chipsOf(search);
  if (chips.length === 0) return null;
  const none = Object.fromEntries(chips.map(({ name }) => [name, undefined]));
  return (
    <ul aria-label={t('Filters')} className="flex flex-wrap items-center gap-2">
      {chips.map(({ name, words }) => (
        <li key={name}>
          <button
            type="button"
            aria-label={t('Remove the filter {words}', { words })}
            onClick={() => change({ [name]: undefined })}
            className="inline-flex h-8 max-w-full items-center gap-1.5 rounded-lg bg-accent-soft pr-2 pl-3 text-sm text-accent-strong hover:bg-sunken"
          >
            <span className="truncate">{words}</span>
            <X size={14} aria-hidden className="shrink-0" />
          </button>
        </li>
      ))}
      <li>
        <Button variant="plain" size="small" onClick={() => change(none)}>
          {t('Clear filters')}
        </Button>
      </li>
    </ul>
  );
}
