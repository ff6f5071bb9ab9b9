import { type Html, html } from '../../kit/html.ts';
import type { CheckoutDestination } from '../../payments/checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { qrSvg } from '../qr.ts';
import { code, copyAddressAction, copyButton } from './copy.ts';
import { checkAgain } from './links.ts';

/**
 * Where to send money, for each destination: the code to scan, the exact amount, the address, the memo.
 * In live mode copying the first address is the page's next action; a test page has its simulation instead.
 */
export function destinationsPart(context: PageContext): Html {
  const [first] = context.view.destinations;
  return html`${context.view.destinations.map((destination, index) => destinationPart(context, destination, index))}
${context.view.mode === 'live' && first && copyAddressAction(context, first.address)}
<noscript>${checkAgain(context)}</noscript>`;
}

function destinationPart(context: PageContext, destination: CheckoutDestination, index: number): Html {
  const { t, view } = context;
  const { address, amount, memo, network } = destination;
  return html`<section class="destination" aria-label="${t('methodOn', { currency: view.currency, network }).text}">
${codesPart(context, address, index)}
<dl class="rows">
<div><dt>${t('amountPlain')}</dt><dd><bdi dir="ltr" translate="no">${amount} ${view.currency}</bdi>${copyButton(context, 'amount', amount, `amount-${index}`)}</dd></div>
<div><dt>${t('address')}</dt><dd>${addressText(address)}${copyButton(context, 'address', address, `address-${index}`)}</dd></div>
${memo && html`<div><dt>${t('memo')}</dt><dd>${code(memo)}${copyButton(context, 'memo', memo, `memo-${index}`)}</dd></div>`}
</dl>
${memo && html`<p class="warning">${t('memoWarning')}</p>`}
<p class="hint">${t('onlyOn', { currency: view.currency, network })}</p>
</section>`;
}

/**
 * A bare address tells a wallet neither token nor network, so a page that a phone can reach offers itself
 * first and the address second.
 */
function codesPart(context: PageContext, address: string, index: number): Html {
  const { t, view, origin, payPath, query } = context;
  const addressCode = qrSvg(address, t('qrAddressLabel', { address }).text);
  if (view.mode === 'test' || !origin.startsWith('https:'))
    return html`<div class="codes">${addressCode}</div>`;
  const pageCode = qrSvg(`${origin}${payPath}?${query}`, t('qrPageLabel').text);
  return html`<div class="codes">
<details class="on-phone" name="qr-${index}" id="page-code-${index}" open><summary id="page-code-${index}-summary">${t('continueOnPhone')}</summary>${pageCode}<p class="hint">${t('continueOnPhoneHint')}</p></details>
<details name="qr-${index}" id="address-code-${index}"><summary id="address-code-${index}-summary">${t('showAddressQr')}</summary>${addressCode}</details>
</div>`;
}

/** The ends of an address stand out: they are what people compare. */
function addressText(address: string): Html {
  if (address.length < 20) return code(address);
  return html`<bdi class="code" dir="ltr" translate="no"><b>${address.slice(0, 6)}</b>${address.slice(6, -6)}<b>${address.slice(-6)}</b></bdi>`;
}
