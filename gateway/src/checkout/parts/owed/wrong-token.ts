import { type Html, html } from '../../../kit/http/html.ts';
import type { CheckoutTransfer } from '../../checkout-payment.ts';
import type { PageContext } from '../../context.ts';
import type { PlainNotice } from '../../notices.ts';
import { disclosure } from '../form.ts';
import { owedPart } from './owed.ts';

/** Notices about a claim of what is owed, which is shown behind the line. */
const ofClaims: readonly PlainNotice[] = [
  'claim_ordered',
  'claim_awaits',
  'claim_not_owed',
  'claim_unavailable',
];

/**
 * Transfers in another currency and what is owed to the customer. While money can still be sent, paying comes first, and
 * what came by mistake is one line that opens.
 */
export function besidesPart(context: PageContext, isAsking: boolean): Html {
  const { t, format, notice } = context;
  const others = othersOf(context);
  const all = html`${others.length > 0 && warnings(context, others)}${owedPart(context)}`;
  if (!isAsking || others.length === 0) return all;
  const received = others.map(({ amount, currency }) => format.amount(amount, currency)).join(', ');
  return disclosure(
    'by-mistake',
    t('wrongTokenLine', { received }),
    all,
    ofClaims.some((each) => each === notice),
  );
}

/** A warning for each transfer in another currency: it has arrived, does not count, and is not lost. */
function warnings({ t, view, format }: PageContext, others: CheckoutTransfer[]): Html {
  const merchant = view.integration.name;
  return html`<div class="wrong-token">${others.map(
    ({ amount, currency, isDirect }) =>
      html`<p class="warning">${t(isDirect ? 'wrongTokenDirect' : 'wrongToken', { received: format.amount(amount, currency), currency: view.currency, merchant })}</p>`,
  )}</div>`;
}

function othersOf({ view }: PageContext): CheckoutTransfer[] {
  return view.transfers.filter(({ currency, state }) => currency !== view.currency && state !== 'gone');
}
