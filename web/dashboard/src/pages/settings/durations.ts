import { serverNow } from '../../format/server-clock.ts';
import { unitsText } from '../../format/units.ts';
import { t } from '../../texts/t.ts';
import type { Choice } from '../../ui/form/select.tsx';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const deadlines = [
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  6 * hour,
  12 * hour,
  day,
];
const quotes = [5 * minute, 10 * minute, 15 * minute, 30 * minute, hour];
const windows = [0, hour, 6 * hour, day, 3 * day, 7 * day, 30 * day];

/** Times to pay, in seconds, including the current one. */
export function deadlineChoices(current: number): Choice[] {
  return choicesOf(deadlines, current);
}

/** How long the rate of a price may hold, in seconds, including the current time. */
export function quoteChoices(current: number): Choice[] {
  return choicesOf(quotes, current);
}

/** How long late money is taken, in seconds, including the current time. */
export function lateChoices(current: number): Choice[] {
  return choicesOf(windows, current);
}

/** After how many days a key may end by itself; empty: never. */
export function keyLives(): Choice[] {
  const days = [1, 7, 30, 90, 365];
  return [
    { value: '', label: t('Never') },
    ...days.map((count) => ({ value: `${count}`, label: lengthText(count * day) })),
  ];
}

/** When a key ends that is made now, as the gateway reads it. */
export function keyEnd(days: number): string {
  return new Date(serverNow().getTime() + days * day * 1000).toISOString();
}

function choicesOf(usual: number[], current: number): Choice[] {
  const all = usual.includes(current) ? usual : [...usual, current].sort((a, b) => a - b);
  return all.map((seconds) => ({ value: String(seconds), label: lengthText(seconds) }));
}

function lengthText(seconds: number): string {
  if (seconds === 0) return t('Not at all');
  if (seconds % day === 0) return unitsText(seconds / day, 'day');
  if (seconds % hour === 0) return unitsText(seconds / hour, 'hour');
  if (seconds % minute === 0) return unitsText(seconds / minute, 'minute');
  return unitsText(seconds, 'second');
}
