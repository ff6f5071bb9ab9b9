import type { ReactNode } from 'react';
import { counted, t } from '../../texts/t.ts';
import { PaymentLink } from '../../ui/display/payment-link.tsx';
import { StatusBadge } from '../../ui/display/status-badge.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import type { Happened } from './queries.ts';

/** What happened when the clock was advanced. */
export function WhatHappened({ happened }: { happened: Happened }): ReactNode {
  const { payments, chain_steps: steps, webhooks_tried: tried } = happened;
  const counts = [
    steps > 0 && counted(steps, 'One chain step was simulated.', '{count} chain steps were simulated.'),
    tried > 0 && counted(tried, 'One webhook was sent.', '{count} webhooks were sent.'),
  ].filter(Boolean);
  if (payments.length === 0 && counts.length === 0) {
    return (
      <Banner role="status" title={t('The clock was advanced')}>
        {t('Nothing was due yet.')}
      </Banner>
    );
  }
  return (
    <Banner role="status" tone="paid" title={t('The clock was advanced')}>
      <div className="grid gap-2">
        {counts.length > 0 && <p>{counts.join(' ')}</p>}
        {payments.length > 0 && (
          <ul className="grid gap-1.5">
            {payments.map(({ payment_reference: reference, from, to }) => (
              <li key={reference} className="flex flex-wrap items-center gap-2">
                <PaymentLink reference={reference} />
                <StatusBadge status={from} /> <span className="text-quiet">{t('became')}</span>{' '}
                <StatusBadge status={to} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Banner>
  );
}
