import { type Html, html } from '../../kit/http/html.ts';
import type { CheckoutDestination, CheckoutPayment } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { browserWalletPart } from './browser-wallet.ts';
import { codesPart } from './codes.ts';
import { addressText, copyAddressAction, copyButton } from './copy.ts';
import { faucetPart } from './faucet.ts';
import { checkAgain } from './links.ts';
import { hasMemo } from './memo-steps.ts';
import { memoTransferPart } from './memo-transfer.ts';

/**
 * Where to send money, for each destination: the exact amount, the address with its network, the memo, and
 * QR codes. In live mode the page's filled button belongs to the first destination, in test mode to the simulation.
 */
export function destinationsPart(context: PageContext): Html {
  return html`${shownDestinations(context.view).map((destination, index) => destinationPart(context, destination, index))}
<noscript>${checkAgain(context)}</noscript>`;
}

/** All destinations, or, once a part was paid, only those on the networks that it came by. */
function shownDestinations({ destinations, transfers }: CheckoutPayment): CheckoutDestination[] {
  const used = destinations.filter(({ asset }) =>
    transfers.some((transfer) => transfer.asset === asset && transfer.state !== 'gone'),
  );
  return used.length > 0 ? used : destinations;
}

function destinationPart(context: PageContext, destination: CheckoutDestination, index: number): Html {
  const { t, view } = context;
  const name = t('methodOn', { currency: view.currency, network: destination.network }).text;
  const part = hasMemo(destination)
    ? memoTransferPart(context, destination, index)
    : addressTransferPart(context, destination, index);
  return html`<section class="destination" aria-label="${name}">${part}</section>`;
}

/** A transfer to an address that belongs to this payment alone. */
function addressTransferPart(context: PageContext, destination: CheckoutDestination, index: number): Html {
  const { t, view } = context;
  const { address, amount, network, evm } = destination;
  const isLive = view.mode === 'live';
  return html`<dl class="rows">
<div><dt>${t('amountPlain')}</dt><dd><bdi class="exact" dir="ltr" translate="no">${amount} ${view.currency}</bdi>${copyButton(context, 'amount', amount, `amount-${index}`)}</dd></div>
<div><dt>${t('address')} · <span class="network">${t('onlyOnNetwork', { network })}</span></dt><dd>${addressText(address)}${copyButton(context, 'address', address, `address-${index}`)}</dd></div>
</dl>
${evm ? html`<p class="warning">${t('otherNetworkWarning', { currency: view.currency, network })}</p>` : html`<p class="hint">${t('onlyOn', { currency: view.currency, network })}</p>`}
${isLive && index === 0 && html`<div class="actions">${browserWalletPart(context, destination)}${copyAddressAction(context, address)}</div>${faucetPart(context, destination)}`}
${codesPart(context, destination, index)}`;
}
