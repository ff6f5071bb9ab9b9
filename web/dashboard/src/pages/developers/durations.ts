import { unitsText } from '../../format/units.ts';
import { t } from '../../texts/t.ts';

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A length of time in its two largest units: `1 day 2 hours`, `45 seconds`. */
export function aheadText(seconds: number): string {
  const parts: string[] = [];
  let left = Math.round(seconds);
  for (const [name, length] of units) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(unitsText(count, name));
  }
  return parts.slice(0, 2).join(' ') || t('now');
}

/** A duration in milliseconds, or seconds where it is long. */
export function tookText(ms: number): string {
  return ms < 1_000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
