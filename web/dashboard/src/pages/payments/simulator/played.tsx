import { Link } from '@tanstack/react-router';
import { FastForward } from 'lucide-react';
import type { ReactNode } from 'react';
import { useScope } from '../../../api/scope.ts';
import { rich } from '../../../texts/rich.ts';
import { counted, t } from '../../../texts/t.ts';
import { Button } from '../../../ui/button/button.tsx';
import { StatusBadge } from '../../../ui/display/status-badge.tsx';
import { WhatHappened } from '../../developers/clock-happened.tsx';
import { useTestClock } from '../../developers/queries.ts';
import { shortDuration } from './duration.ts';
import { type SimulatedPayment, useAdvance } from './queries.ts';

/** The status of the payment after a simulation, and which steps still wait for the test clock. */
export function Played({ payment, onAgain }: { payment: SimulatedPayment; onAgain: () => void }): ReactNode {
  return (
    <section aria-labelledby="played" className="grid gap-3">
      <h3 id="played" className="sr-only">
        {t('What happened')}
      </h3>
      <p role="status" className="flex flex-wrap items-center gap-2 text-sm">
        {rich('Simulated. The payment is {statusBadge}', {
          statusBadge: <StatusBadge status={payment.payment_status} />,
        })}
      </p>
      <Waiting payment={payment} />
      <div className="flex">
        <Button onClick={onAgain}>{t('Simulate something else')}</Button>
      </div>
    </section>
  );
}

/** The steps of a script that still wait, and a button that runs them; nothing when none waits. */
export function Waiting({ payment }: { payment: SimulatedPayment }): ReactNode {
  const { integrationId: integration } = useScope();
  const clock = useTestClock();
  const advance = useAdvance();
  const waiting = (clock.data?.waiting.items ?? []).filter(
    ({ kind, payment_reference }) => kind === 'chain' && payment_reference === payment.payment_reference,
  );
  const seconds = Math.max(1, waiting.at(-1)?.in_seconds ?? 0);
  return (
    <>
      {waiting.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-waiting-soft px-3 py-2.5 text-sm">
          <span className="min-w-0 flex-1 basis-48">
            {rich('{length} for the {link}', {
              length: counted(waiting.length, 'One step waits', '{count} steps wait'),
              link: (
                <Link
                  to="/i/$integration/$mode/developers"
                  params={{ integration, mode: 'test' }}
                  search={{ tab: 'clock' }}
                  className="text-accent-strong underline underline-offset-4"
                >
                  {t('test clock')}
                </Link>
              ),
            })}
            .
          </span>
          <Button size="small" pending={advance.isPending} onClick={() => advance.mutate(seconds)}>
            <FastForward size={15} aria-hidden />{' '}
            {t('Advance {seconds}', { seconds: shortDuration(seconds) })}
          </Button>
        </div>
      )}
      {advance.data && <WhatHappened happened={advance.data} />}
    </>
  );
}
