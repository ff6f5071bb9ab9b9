import type { ReactNode } from 'react';
import { counted, t } from '../../texts/t.ts';

const width = 320;
const nowX = 80;
const dayWidth = 24;

/** The times of the old and the new key as two bars, with their overlap. */
export function OverlapPicture({ days }: { days: number }): ReactNode {
  const endX = nowX + days * dayWidth;
  const words =
    days === 0
      ? t('The old key ends when the new one begins.')
      : counted(
          days,
          'For 1 day both keys work; then only the new one does.',
          'For {count} days both keys work; then only the new one does.',
        );
  return (
    <figure className="grid gap-2 rounded-lg border border-line bg-sunken p-3">
      <svg viewBox={`0 0 ${width} 84`} aria-hidden className="w-full">
        <rect x={nowX} y="4" width={endX - nowX} height="62" className="fill-accent-soft" />
        <rect x="0" y="12" width={endX} height="18" rx="4" className="fill-line-strong" />
        <rect x={nowX} y="40" width={width - nowX} height="18" rx="4" className="fill-accent" />
        <text x="8" y="25" className="fill-surface text-sm font-semibold">
          {t('old')}
        </text>
        <text x={nowX + 8} y="53" className="fill-on-accent text-sm font-semibold">
          {t('new')}
        </text>
        <path d={`M${nowX} 4V66`} className="stroke-ink" strokeWidth="1.5" />
        <text x={nowX - 2} y="81" textAnchor="end" className="fill-quiet text-sm">
          {t('now')}
        </text>
        {days > 0 && (
          <>
            <path d={`M${endX} 4V66`} className="stroke-ink" strokeWidth="1.5" strokeDasharray="3 3" />
            <text x={endX + 2} y="81" className="fill-quiet text-sm">
              {counted(days, 'in 1 day', 'in {count} days')}
            </text>
          </>
        )}
      </svg>
      <figcaption className="text-sm">{words}</figcaption>
    </figure>
  );
}
