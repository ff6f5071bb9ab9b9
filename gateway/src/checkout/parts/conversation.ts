import { type Html, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { postForm } from './form.ts';
import { timeText } from './time.ts';

/** The messages of an open appeal, and a form to answer; null when the payment is not in appeal. */
export function conversationPart(context: PageContext): Html | null {
  const { t, view } = context;
  if (!context.offers('message') || view.status !== 'in-appeal') return null;
  return html`<section class="conversation" aria-labelledby="conversation-title"><h2 id="conversation-title">${t('appealMessages')}</h2>
${view.messages.length > 0 && html`<ol>${view.messages.map((message) => messageItem(context, message))}</ol>`}
${postForm(
  context,
  'message',
  html`<div class="field"><label for="message-text">${t('appealMessage')}</label><textarea id="message-text" name="text" required maxlength="2000" rows="3" aria-describedby="message-hint"></textarea><p class="hint" id="message-hint">${t('appealHint', { merchant: view.integration.name })}</p></div>
<button class="button plain" id="message-button">${t('appealSend')}</button>`,
)}</section>`;
}

function messageItem(
  context: PageContext,
  { author, text, at }: PageContext['view']['messages'][number],
): Html {
  const { t, view } = context;
  const name = {
    customer: t('appealYou'),
    merchant: html`<bdi>${view.integration.name}</bdi>`,
    operator: t('appealOperator'),
  }[author];
  return html`<li class="from-${author}"><p class="said-by"><b>${name}</b> ${timeText(context, at)}</p><p class="said" dir="auto">${text}</p></li>`;
}
