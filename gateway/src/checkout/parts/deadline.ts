import { type Html, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { icon } from '../icons.ts';

/** The deadline in UTC. The script shows the time left and the customer's local time, and counts the last minutes down. */
export function deadlinePart({ t, format, view, now }: PageContext): Html {
  const { deadline } = view;
  const within = t('payWithin', { left: '{left}', time: '{time}' }).text;
  const left = t('timeLeft', { time: '{time}' }).text;
  return html`<p class="deadline">${icon('clock')}<time datetime="${deadline.toISOString()}" id="within" data-template="${within}">${t('payBy', { time: format.time(deadline, now) })}</time><span class="timer" data-deadline="${deadline.getTime()}" data-template="${left}" hidden></span></p>`;
}
