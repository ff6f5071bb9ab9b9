import { type Html, html } from '../../kit/http/html.ts';
import type { CheckoutDestination } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { disclosure, field, postForm } from './form.ts';

/** A form for test coins; null where the network has none. The wallet script fills in the address of a connected wallet. */
export function faucetPart(context: PageContext, { evm }: CheckoutDestination): Html | null {
  if (!context.offers('faucet') || !evm?.faucet) return null;
  const { t } = context;
  return disclosure(
    'faucet',
    t('faucetTitle'),
    html`<p>${t('faucetLead')}</p>${postForm(
      context,
      'faucet',
      html`${field('address', t('faucetAddress').text, html`class="code" dir="ltr" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="42" placeholder="0x"`)}
<button class="button plain" id="faucet-button">${t('faucetButton')}</button>`,
    )}`,
  );
}
