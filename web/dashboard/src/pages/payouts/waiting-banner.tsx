import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { counted, t } from '../../texts/t.ts';
import { buttonClass } from '../../ui/button/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { usePayouts } from './queries.ts';

/** The payouts that wait for approval. */
export const useWaitingPayouts = () => usePayouts({ status: 'awaiting_approval' });

/** Says that payouts wait for approval, and leads to them. */
export function WaitingBanner(): ReactNode {
  const waiting = useWaitingPayouts().data;
  if (!waiting || waiting.items.length === 0) return null;
  const count = waiting.items.length;
  const many = waiting.next_cursor === null ? String(count) : t('More than {count}', { count });
  return (
    <Banner
      tone="waiting"
      title={counted(count, 'A payout waits for approval', '{many} payouts wait for approval', { many })}
      action={
        <Link to="." search={{ tab: 'payouts' }} className={buttonClass()}>
          {t('See what waits')}
        </Link>
      }
    />
  );
}
