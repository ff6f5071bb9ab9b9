import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';
import { buttonClass } from '../ui/button/button.tsx';

/** The first link that the Tab key reaches: it skips the rail. */
export function SkipLink(): ReactNode {
  return (
    <a
      href="#main"
      className={`${buttonClass('primary')} sr-only z-60 focus:not-sr-only focus:fixed focus:top-3 focus:left-3`}
    >
      {t('Skip to the page')}
    </a>
  );
}
