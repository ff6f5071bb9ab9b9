import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import type { HealthHour } from '../types/endpoint.ts';

const hours = 24;
const hourMs = 3600 * 1000;
const width = 7;
const gap = 2;
const height = 32;
const emptyHeight = 2;

/** The attempts of each of the last 24 hours: green for delivered, red for failed, high where there were many. */
export function HealthStrip({ hours: known, now }: { hours: readonly HealthHour[]; now: number }): ReactNode {
  const bars = barsOf(known, now);
  const most = Math.max(1, ...bars.map(({ delivered, failed }) => delivered + failed));
  return (
    <svg
      role="img"
      aria-label={wordsOf(known)}
      viewBox={`0 0 ${hours * (width + gap) - gap} ${height}`}
      preserveAspectRatio="none"
      className="h-8 w-full"
    >
      {bars.map((bar, index) => (
        <Bar key={bar.hour} bar={bar} x={index * (width + gap)} most={most} />
      ))}
    </svg>
  );
}

function Bar({ bar, x, most }: { bar: HealthHour; x: number; most: number }): ReactNode {
  const total = bar.delivered + bar.failed;
  if (total === 0) {
    return (
      <rect x={x} y={height - emptyHeight} width={width} height={emptyHeight} className="fill-line-strong" />
    );
  }
  // The root keeps quiet hours in sight beside busy ones.
  const full = Math.max(6, height * Math.sqrt(total / most));
  const lost = bar.failed === 0 ? 0 : Math.max(3, (full * bar.failed) / total);
  return (
    <>
      <rect x={x} y={height - full} width={width} height={full - lost} className="fill-paid" />
      <rect x={x} y={height - lost} width={width} height={lost} className="fill-lost" />
    </>
  );
}

function barsOf(known: readonly HealthHour[], now: number): HealthHour[] {
  const byHour = new Map(known.map((hour) => [Date.parse(hour.hour), hour]));
  const current = Math.floor(now / hourMs) * hourMs;
  return Array.from({ length: hours }, (_, index) => {
    const at = current - (hours - 1 - index) * hourMs;
    return byHour.get(at) ?? { hour: new Date(at).toISOString(), delivered: 0, failed: 0 };
  });
}

function wordsOf(known: readonly HealthHour[]): string {
  const sum = (name: 'delivered' | 'failed') => known.reduce((total, hour) => total + hour[name], 0);
  return t('Attempts of the last 24 hours: {sum} delivered, {sum2} failed', {
    sum: sum('delivered'),
    sum2: sum('failed'),
  });
}
