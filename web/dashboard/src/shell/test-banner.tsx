import type { ReactNode } from 'react';
import { rich } from '../texts/rich.ts';
import { t } from '../texts/t.ts';

/** Says that no real money moves in test mode, by stripes and by words. */
export function TestBanner(): ReactNode {
  return (
    <section aria-label={t('Test mode')} className="striped px-4 pt-1 text-center text-sm text-on-test">
      {rich('{strong} · No real money moves here.', {
        strong: <strong className="tracking-widest">{t('TEST')}</strong>,
      })}
    </section>
  );
}
