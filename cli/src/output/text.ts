import { styleText } from 'node:util';

/** Colours of the terminal by their meaning: success, waiting, failure, less important. */
export type Tone = 'good' | 'waiting' | 'bad' | 'faint' | 'strong';

const styles = { good: 'green', waiting: 'yellow', bad: 'red', faint: 'gray', strong: 'bold' } as const;

/** Colours the text on a terminal, unless NO_COLOR is set. */
export function tinted(text: string, tone: Tone | undefined, stream = process.stdout): string {
  return tone === undefined ? text : styleText(styles[tone], text, { stream });
}

/** The tone of a status of a payment, an endpoint or a delivery. */
export function toneOf(status: string): Tone | undefined {
  if (['completed', 'delivered', 'active', 'final', 'sent'].includes(status)) return 'good';
  if (['failed', 'disabled', 'gone'].includes(status)) return 'bad';
  if (['linked', 'pending', 'held', 'in-appeal', 'paused', 'seen'].includes(status)) return 'waiting';
  return undefined;
}

/** A text from elsewhere on one line, without the characters that would move the cursor or change colours. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, '\uFFFD');
}

/** An ISO 8601 time in local time: `2026-11-21 14:03:22`. */
export function localTime(iso: string): string {
  const time = new Date(iso);
  const two = (value: number) => `${value}`.padStart(2, '0');
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;
}

/** The same to the minute, for rows of a list: `2026-11-21 14:03`. */
export function localMinute(iso: string): string {
  return localTime(iso).slice(0, -3);
}

/** `1 payment`, `2 payments`; `2 deliveries` when the plural is given. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
