import { type Html, html } from '../html.ts';
import type { Mode, Order } from '../store.ts';

const words = { open: 'Open', paid: 'Paid', failed: 'Payment failed' } as const;

/** An order's status as a small label: never by colour alone. */
export function statusLabel(status: Order['status']): Html {
  return html`<span class="status ${status}">${words[status]}</span>`;
}

/** Whether an order is paid with test money. */
export function modeLabel(mode: Mode): Html {
  return html`<span class="status mode ${mode}">${mode === 'live' ? 'Live' : 'Test'}</span>`;
}

/** A time that people and programs can read, in UTC. */
export function timeOf(iso: string): Html {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  return html`<time datetime="${iso}">${new Date(iso).toLocaleString('en-GB', format)} UTC</time>`;
}
