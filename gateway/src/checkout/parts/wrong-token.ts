import { type Html, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';

/** A warning for each transfer in another currency: it has arrived, does not count, and is not lost. */
export function wrongTokenPart({ t, view, format }: PageContext): Html | null {
  const others = view.transfers.filter(
    ({ currency, state }) => currency !== view.currency && state !== 'gone',
  );
  if (others.length === 0) return null;
  const merchant = view.integration.name;
  return html`<div class="wrong-token">${others.map(
    ({ amount, currency }) =>
      html`<p class="warning">${t('wrongToken', { received: format.amount(amount, currency), currency: view.currency, merchant })}</p>`,
  )}</div>`;
}
