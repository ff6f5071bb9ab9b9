import { Link } from '@tanstack/react-router';
import { Clock3, Hourglass, RotateCcw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { AdvancedClock } from '../../../../../gateway/src/test-clock/console-answers.ts';
import { api } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { useMay, useScope } from '../../api/scope.ts';
import { exactText } from '../../format/time-text.ts';
import { useZone } from '../../format/time-zone.ts';
import { t } from '../../texts/t.ts';
import { Button } from '../../ui/button/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorState } from '../../ui/feedback/error-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Card, Section } from '../../ui/layout/card.tsx';
import { useAct } from '../../ui/toast/act.ts';
import { WhatHappened } from './clock-happened.tsx';
import { WaitingTable } from './clock-waiting.tsx';
import { aheadText } from './durations.ts';
import { type Happened, type TestClock, useTestClock } from './queries.ts';

const steps = [
  { seconds: 60, label: t('1 minute') },
  { seconds: 10 * 60, label: t('10 minutes') },
  { seconds: 3_600, label: t('1 hour') },
  { seconds: 24 * 3_600, label: t('1 day') },
];

/** The integration's test clock. In live mode the page says that there is none. */
export function Clock(): ReactNode {
  const { mode, integrationId: integration } = useScope();
  const mayUse = useMay('use test mode');
  if (mode === 'live' || !mayUse) {
    return (
      <EmptyState
        icon={Clock3}
        title={mode === 'live' ? t('Live mode has no test clock') : t('Your role may not use test mode')}
        action={
          mode === 'live' && (
            <Link
              to="/i/$integration/$mode/developers"
              params={{ integration, mode: 'test' }}
              search={{ tab: 'clock' }}
              className="text-sm font-semibold text-accent-strong underline-offset-4 hover:underline"
            >
              {t('Open it in test mode')}
            </Link>
          )
        }
      >
        {t('It makes deadlines, confirmations and webhook retries of test payments happen sooner.')}
      </EmptyState>
    );
  }
  return <TestModeClock />;
}

function TestModeClock(): ReactNode {
  const { path } = useScope();
  const clock = useTestClock();
  const [happened, setHappened] = useState<Happened>();
  const changes = [
    path('/clock'),
    path('/payments'),
    path('/webhooks'),
    path('/balances'),
    path('/balance-entries'),
  ];
  const advance = useAct(
    async (seconds: number) => {
      const body = { seconds };
      const idempotencyKey = newIdempotencyKey();
      const moved = await api<AdvancedClock>(path('/clock/advance'), {
        body,
        idempotencyKey,
      });
      setHappened(moved.happened);
    },
    { changes },
  );
  const reset = useAct(
    async () => {
      await api(path('/clock/reset'), { body: {} });
      setHappened(undefined);
    },
    { changes, done: t('The clock shows the real time again') },
  );
  if (clock.isError && !clock.data) return <ErrorState error={clock.error} onRetry={() => clock.refetch()} />;
  return (
    <>
      <Card
        title={t('Test clock')}
        description={t(
          'Advances the time of your test payments: deadlines, confirmations and webhook retries happen sooner. Live payments are not changed.',
        )}
      >
        <Shown clock={clock.data} />
        <div className="flex flex-wrap gap-2">
          {steps.map(({ seconds, label }) => (
            <Button
              key={seconds}
              pending={advance.isPending && advance.variables === seconds}
              disabled={advance.isPending && advance.variables !== seconds}
              onClick={() => advance.mutate(seconds)}
            >
              + {label}
            </Button>
          ))}
          {clock.data !== undefined && clock.data.ahead_seconds > 0 && (
            <Button variant="plain" pending={reset.isPending} onClick={() => reset.mutate()}>
              <RotateCcw size={16} aria-hidden /> {t('Back to the real time')}
            </Button>
          )}
        </div>
      </Card>
      {happened && <WhatHappened happened={happened} />}
      {clock.data && (
        <Section title={t('What is waiting')}>
          {clock.data.waiting.items.length > 0 ? (
            <WaitingTable waiting={clock.data.waiting} />
          ) : (
            <EmptyState icon={Hourglass} title={t('Nothing waits for the clock')}>
              {t('An unpaid test payment waits for its deadline, ten minutes after it was made.')}
            </EmptyState>
          )}
        </Section>
      )}
    </>
  );
}

function Shown({ clock }: { clock: TestClock | undefined }): ReactNode {
  const zone = useZone();
  if (!clock) return <Skeleton className="h-12 w-64" />;
  return (
    <div>
      <p className="text-lg font-semibold tabular-nums sm:text-xl">{exactText(new Date(clock.now), zone)}</p>
      <p className="text-sm text-quiet">
        {clock.ahead_seconds === 0
          ? t('The real time')
          : t('{aheadSeconds} ahead of the real time', { aheadSeconds: aheadText(clock.ahead_seconds) })}
      </p>
    </div>
  );
}
