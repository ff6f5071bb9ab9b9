import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScope } from '../../api/scope.ts';
import { useNow } from '../../format/now.ts';
import type { Zone } from '../../format/time-text.ts';
import { dateLocale } from '../../format/time-text.ts';
import { useZone } from '../../format/time-zone.ts';
import { counted, t } from '../../texts/t.ts';
import { Bars } from '../../ui/chart/bars.tsx';
import { ChartCard } from '../../ui/chart/chart-card.tsx';
import { Legend } from '../../ui/chart/legend.tsx';
import { useActive } from '../../ui/chart/use-active.ts';
import type { WebhooksSearch } from '../webhooks/search.ts';
import type { WebhookOverview } from './queries.ts';
import { compactText, countText, rateText } from './words.ts';

const hourMs = 3_600_000;
const hoursShown = 24;

/** Webhook attempts by hour: how many were delivered, how many failed. */
export function WebhooksChart({ webhooks }: { webhooks: WebhookOverview }): ReactNode {
  const zone = useZone();
  const hours = lastHours(webhooks.hours, useNow());
  const [active, setActive] = useActive(hours.length);
  const { delivered, failed, queued, rate, endpoints } = webhooks;
  const selected = hours[active]!;
  const said = t('{delivered} delivered, {failed} failed', {
    delivered: countText(selected.delivered),
    failed: countText(selected.failed),
  });
  return (
    <ChartCard
      title={t('Webhooks')}
      description={t('Attempts of the last {hoursShown} hours to {endpoints}.', {
        hoursShown,
        endpoints: endpointWords(endpoints),
      })}
      aside={
        <Legend
          entries={[
            {
              key: 'delivered',
              tone: 'paid',
              label: (
                <Deliveries status="delivered">
                  {t('Delivered {delivered}', { delivered: countText(delivered) })}
                </Deliveries>
              ),
            },
            {
              key: 'failed',
              tone: 'lost',
              label: (
                <Deliveries status="failed">{t('Failed {failed}', { failed: countText(failed) })}</Deliveries>
              ),
            },
            {
              key: 'queued',
              tone: 'waiting',
              label: (
                <Deliveries status="pending">
                  {t('Waiting {queued}', { queued: countText(queued) })}
                </Deliveries>
              ),
            },
          ]}
        />
      }
      table={{
        heads: [t('Hour'), t('Delivered'), t('Failed')],
        rows: hours.map((each) => [hourText(each.at, zone, true), `${each.delivered}`, `${each.failed}`]),
      }}
      readout={
        <>
          <span>{hourText(selected.at, zone, true)}</span>
          <span>{said}</span>
          <span className="text-quiet">{t('{rate} delivered in all', { rate: rateText(rate) })}</span>
        </>
      }
    >
      <Bars
        points={hours.map(({ at }) => ({ key: `${at.getTime()}`, label: hourText(at, zone, false) }))}
        series={[
          { key: 'delivered', tone: 'paid', values: hours.map((each) => each.delivered) },
          { key: 'failed', tone: 'lost', values: hours.map((each) => each.failed) },
        ]}
        tickText={compactText}
        whole
        sentence={t(
          'Bars of webhook attempts for {hoursShown} hours: {delivered} delivered, {failed} failed',
          { hoursShown, delivered: countText(delivered), failed: countText(failed) },
        )}
        readout={`${hourText(selected.at, zone, true)}: ${said}`}
        active={active}
        onActive={setActive}
        height={120}
        lastIsOpen
      />
    </ChartCard>
  );
}

function Deliveries({
  status,
  children,
}: {
  status: NonNullable<WebhooksSearch['status']>;
  children: string;
}) {
  const { integrationId, mode } = useScope();
  return (
    <Link
      to="/i/$integration/$mode/webhooks"
      params={{ integration: integrationId, mode }}
      search={{ tab: 'deliveries', status }}
      className="tabular-nums underline-offset-4 hover:underline"
    >
      {children}
    </Link>
  );
}

type Hour = { at: Date; delivered: number; failed: number };

/** Every hour of the last day, those without attempts too. */
function lastHours(counted: WebhookOverview['hours'], now: Date): Hour[] {
  const current = Math.floor(now.getTime() / hourMs) * hourMs;
  return Array.from({ length: hoursShown }, (_, index) => {
    const at = new Date(current - (hoursShown - 1 - index) * hourMs);
    const found = counted.find(({ hour }) => Date.parse(hour) === at.getTime());
    return { at, delivered: found?.delivered ?? 0, failed: found?.failed ?? 0 };
  });
}

function hourText(at: Date, zone: Zone, withDay: boolean): string {
  return new Intl.DateTimeFormat(dateLocale, {
    ...(withDay ? { day: 'numeric', month: 'short' } : {}),
    hour: '2-digit',
    minute: '2-digit',
    ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
  }).format(at);
}

function endpointWords({ active, paused, disabled }: WebhookOverview['endpoints']): string {
  const parts = [counted(active, '1 active endpoint', '{count} active endpoints')];
  if (paused > 0) parts.push(t('{paused} paused', { paused }));
  if (disabled > 0) parts.push(t('{disabled} disabled', { disabled }));
  return parts.join(', ');
}
