import type { ReactNode } from 'react';
import { t } from '../texts/t.ts';

/** Says that no real money moves in test mode, as the hosted page does. */
export function TestBanner(): ReactNode {
  return (
    <section aria-label={t('Test mode')} className="test-banner">
      <strong>{t('TEST')}</strong> <span>{t('Simulation: no real money moves.')}</span>
    </section>
  );
}
