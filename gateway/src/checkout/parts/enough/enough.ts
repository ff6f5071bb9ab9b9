import { type Html, html } from '../../../kit/http/html.ts';
import { fineScale } from '../../../money/assets.ts';
import { unitsOfDecimal } from '../../../money/money.ts';
import type { CheckoutPayment } from '../../checkout-payment.ts';
import type { PageContext } from '../../context.ts';
import { postForm } from '../form.ts';

/**
 * For a payment of which little is missing: that somebody may have kept it as a fee, and, where the shop accepts what came, the
 * form that leaves it at that. Null where more is missing.
 */
export function enoughPart(context: PageContext): Html | null {
  const { t, view, amount } = context;
  const { isTolerated, isFinal } = view.shortfall;
  if (!isTolerated && !looksLikeFee(view)) return null;
  const sums = { received: amount(view.amountReceived), merchant: view.integration.name };
  return html`<section class="short"><p class="hint">${t('shortFee', { missing: amount(view.amountMissing) })}</p>${
    isTolerated &&
    isFinal &&
    context.offers('enough') &&
    html`<p>${t('shortLead', sums)}</p>${postForm(context, 'enough', html`<button class="button plain" id="enough-button">${t('shortButton', sums)}</button>`)}`
  }</section>`;
}

/** Exchanges keep a fixed amount: seldom more than a twentieth of what people pay with. */
const typicalPart = 20n;

function looksLikeFee({ amountMissing, amountDue }: CheckoutPayment): boolean {
  const [missing, due] = [unitsOfDecimal(amountMissing, fineScale), unitsOfDecimal(amountDue, fineScale)];
  return missing !== null && due !== null && missing > 0n && missing * typicalPart <= due;
}
