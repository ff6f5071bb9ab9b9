import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { commandKey, show } from './show.ts';

/** Opens the palette, and says which keys do. */
export function FindButton(): ReactNode {
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => show('palette')}
      className="flex h-9 shrink-0 items-center gap-3 rounded-lg border border-line bg-surface px-2.5 text-sm text-quiet transition-colors hover:border-line-strong"
    >
      <Search size={16} aria-hidden className="shrink-0" />
      {t('Find')}
      <kbd aria-hidden className="ml-auto font-mono">
        {commandKey} K
      </kbd>
    </button>
  );
}
