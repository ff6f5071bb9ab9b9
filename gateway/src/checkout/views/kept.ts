import { type Html, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { isZero } from '../format.ts';

/** What the page said before the payment was completed and says on: that its money came late, or that it was too much. */
export function keptPart(context: PageContext): Html {
  const { t, view } = context;
  return html`${view.lateUntil !== null && html`<br><b>${t('lateTitle')}</b>`}${tooMuchPart(context)}`;
}

/** How much was sent too much, and what happens to it; where it is owed or refunded, the list of that says what. */
export function tooMuchPart(context: PageContext): Html | null {
  const { t, view, amount } = context;
  if (isZero(view.overpayment)) return null;
  const overpayment = amount(view.overpayment);
  const isListed = context.offers('refund') && view.owed.length + view.refunds.length > 0;
  return html`<br><b>${t('overpaidTitle', { overpayment })}</b>${!isListed && html`<br>${overpaymentNotes(context)}`}`;
}

/** What happens to what came too much: the gateway owes it, or it is the shop that has it and returns it. */
export function overpaymentNotes({ t, view, amount }: PageContext): Html {
  const merchant = view.integration.name;
  const { directOverpayment: direct } = view;
  const owed = direct ? direct.rest : view.overpayment;
  return html`${!isZero(owed) && html`${t('overpaymentNote', { merchant, overpayment: amount(owed) })} `}${
    direct &&
    html`${t('overpaymentDirect', { merchant, overpayment: amount(direct.amount) })}${!isZero(direct.fee) && html` ${t('overpaymentDirectFee', { fee: amount(direct.fee) })}`}`
  }`;
}
