import { html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import type { Sentence } from '../messages/translate.ts';

/**
 * A time as part of a sentence: in UTC, and for browsers with script in the customer's own zone and format. The day is left
 * out where it is today, unless it `isFull`.
 */
export function timeText({ format, now }: PageContext, date: Date, isFull = false): Sentence {
  const text = isFull ? format.time(date) : format.time(date, now);
  const content = html`<time datetime="${date.toISOString()}" data-local="${isFull && 'full'}">${text}</time>`;
  return { text, markup: content.markup };
}
