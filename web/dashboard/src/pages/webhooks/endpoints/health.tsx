import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useNow } from '../../../format/now.ts';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Time } from '../../../ui/display/time.tsx';
import { durationText } from '../deliveries/explain.ts';
import type { Endpoint, HealthWindow } from '../types/endpoint.ts';
import { HealthStrip } from './health-strip.tsx';

const maxQueued = 10_000;

/** How an endpoint has been: the last 24 hours as bars, and the figures of a day and a week. */
export function EndpointHealth({ endpoint }: { endpoint: Endpoint }): ReactNode {
  const now = useNow();
  const { id, health } = endpoint;
  const isUnused = health.last_week.delivered + health.last_week.failed === 0;
  return (
    <div className="grid min-w-0 gap-x-8 gap-y-4 border-t border-line pt-4 md:grid-cols-[minmax(0,15rem)_minmax(0,1fr)]">
      <figure className="grid content-start gap-1.5">
        <HealthStrip hours={health.hours} now={now.getTime()} />
        <figcaption className="flex justify-between text-sm text-quiet">
          <span>{t('24 h ago')}</span>
          <span>{t('now')}</span>
        </figcaption>
      </figure>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 tabular-nums lg:grid-cols-4">
        <Fact name={t('Last 24 hours')}>
          <Rate of={health.last_day} endpoint={id} />
        </Fact>
        <Fact name={t('Last 7 days')}>
          <Rate of={health.last_week} endpoint={id} />
        </Fact>
        <Fact name={t('Answers in')}>{isUnused ? '–' : <Latency of={health.last_week} />}</Fact>
        <Fact name={health.queued > 0 ? t('Waiting') : t('Last success')}>
          {health.queued > 0 ? <Queue endpoint={endpoint} /> : <Time at={health.last_success_at} />}
        </Fact>
      </dl>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div className="grid min-w-0 content-start gap-0.5">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="min-w-0 text-sm font-semibold wrap-anywhere">{children}</dd>
    </div>
  );
}

function Rate({ of: { delivered, failed }, endpoint }: { of: HealthWindow; endpoint: string }): ReactNode {
  const total = delivered + failed;
  if (total === 0) return <span className="font-normal text-quiet">{t('nothing sent')}</span>;
  return (
    <>
      {percentText(delivered / total)}{' '}
      <span className="font-normal text-quiet">
        {t('of {total}', { total: total.toLocaleString('en') })}
        {failed > 0 && (
          <span className="block">
            <Link
              to="."
              search={{ tab: 'deliveries', endpoint }}
              className="text-accent-strong underline underline-offset-4"
            >
              {t('{failed} not taken', { failed: failed.toLocaleString('en') })}
            </Link>
          </span>
        )}
      </span>
    </>
  );
}

/** Never rounded up to a perfect score, nor down to none. */
function percentText(share: number): string {
  if (share === 1 || share === 0) return `${share * 100}%`;
  return `${Math.min(99.9, Math.max(0.1, share * 100)).toFixed(1)}%`;
}

function Latency({ of: { p50_ms, p95_ms } }: { of: HealthWindow }): ReactNode {
  if (p50_ms === null || p95_ms === null) return '–';
  return (
    <>
      {durationText(p50_ms)}
      <span className="block font-normal text-quiet">
        {t('95% within {p95_ms}', { p95_ms: durationText(p95_ms) })}
      </span>
    </>
  );
}

function Queue({ endpoint: { id, status, health } }: { endpoint: Endpoint }): ReactNode {
  const { queued, next_attempt_at } = health;
  return (
    <>
      <Link
        to="."
        search={{ tab: 'deliveries', endpoint: id, status: 'pending' }}
        className="text-accent-strong underline underline-offset-4"
      >
        {queued >= maxQueued ? t('10,000 or more') : queued.toLocaleString('en')}
      </Link>
      <span className="block font-normal text-quiet">
        {status === 'active'
          ? rich('next {time}', { time: <Time at={next_attempt_at} /> })
          : t('until it is activated')}
      </span>
    </>
  );
}
