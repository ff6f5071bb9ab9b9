import { Link } from '@tanstack/react-router';
import { FastForward } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useScope } from '../../../api/scope.ts';
import { Button } from '../../../ui/button.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { WhatHappened } from '../../developers/clock-happened.tsx';
import { useTestClock } from '../../developers/queries.ts';
import type { PaymentDetail } from '../queries.ts';
import { shortDuration } from './duration.ts';
import { useAdvance } from './queries.ts';

/** Where the payment stands now, and what of a script still waits for the test clock, a press away. */
export function Played({ payment, isPlayed }: { payment: PaymentDetail; isPlayed: boolean }): ReactNode {
  const { integrationId: integration } = useScope();
  const clock = useTestClock();
  const advance = useAdvance();
  const label = useId();
  const waiting = (clock.data?.waiting.items ?? []).filter(
    ({ kind, payment_reference }) => kind === 'chain' && payment_reference === payment.payment_reference,
  );
  const last = waiting.at(-1)?.in_seconds ?? 0;
  if (!isPlayed && waiting.length === 0) return null;
  return (
    <section aria-labelledby={label} className="grid gap-3 border-t border-line pt-4">
      <h3 id={label} className="sr-only">
        What happened
      </h3>
      <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        <span className="flex items-center gap-2">
          The payment is <StatusBadge status={payment.payment_status} />
        </span>
        {waiting.length > 0 && (
          <>
            <span>
              {waiting.length === 1 ? 'One step waits' : `${waiting.length} steps wait`} for the{' '}
              <Link
                to="/i/$integration/$mode/developers"
                params={{ integration, mode: 'test' }}
                search={{ tab: 'clock' }}
                className="text-accent-strong underline underline-offset-4"
              >
                test clock
              </Link>
              .
            </span>
            <Button
              size="small"
              pending={advance.isPending}
              onClick={() => advance.mutate(Math.max(1, last))}
            >
              <FastForward size={15} aria-hidden /> Advance {shortDuration(Math.max(1, last))}
            </Button>
          </>
        )}
      </div>
      {advance.data && <WhatHappened happened={advance.data} />}
    </section>
  );
}
