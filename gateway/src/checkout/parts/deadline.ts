import { type Html, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { icon } from '../icons.ts';

/** The deadline. The script shows the time left during the last minutes. */
export function deadlinePart({ t, format, view, now }: PageContext): Html {
  const { deadline } = view;
  const template = t('timeLeft', { time: '{time}' }).text;
  return html`<p class="deadline">${icon('clock')}<time datetime="${deadline.toISOString()}">${t('payBy', { time: format.time(deadline, now) })}</time><span class="timer" data-deadline="${deadline.getTime()}" data-template="${template}" hidden></span></p>`;
}
