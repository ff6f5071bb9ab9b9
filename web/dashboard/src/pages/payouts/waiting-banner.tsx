import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../../ui/button/button.tsx';
import { Banner } from '../../ui/feedback/banner.tsx';
import { usePayouts } from './queries.ts';

/** Says that payouts wait for approval, and leads to them. */
export function WaitingBanner(): ReactNode {
  const waiting = usePayouts({ status: 'awaiting_approval' }).data;
  if (!waiting || waiting.items.length === 0) return null;
  const count = waiting.items.length;
  const many = waiting.next_cursor === null ? String(count) : `More than ${count}`;
  return (
    <Banner
      tone="waiting"
      title={count === 1 ? 'A payout waits for approval' : `${many} payouts wait for approval`}
      action={
        <Link to="." search={{ tab: 'payouts' }} className={buttonClass()}>
          See what waits
        </Link>
      }
    />
  );
}
