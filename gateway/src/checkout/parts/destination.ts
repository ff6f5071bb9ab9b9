import { type Html, html } from '../../kit/http/html.ts';
import { type CheckoutDestination, type CheckoutPayment, isSimulated } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { isZero } from '../format.ts';
import { browserWalletPart } from './browser-wallet.ts';
import { otherCodesPart } from './codes.ts';
import { addressText, copyButton } from './copy.ts';
import { faucetPart } from './faucet.ts';
import { disclosure } from './form.ts';
import { checkAgain } from './links.ts';
import { hasMemo } from './memo-steps.ts';
import { memoTransferPart } from './memo-transfer.ts';
import { openWalletPart } from './open-wallet.ts';

/** The destination that the page shows: of the chosen network, or of the network by which a part of the money came. */
export function shownDestination({
  destinations,
  transfers,
}: CheckoutPayment): CheckoutDestination | undefined {
  const used = destinations.find(({ asset }) =>
    transfers.some((transfer) => transfer.asset === asset && transfer.state !== 'gone'),
  );
  return used ?? destinations[0];
}

/** Where to send money: the ways to pay from here, then the amount, the address with its network, and the memo. */
export function destinationPart(context: PageContext, destination: CheckoutDestination): Html {
  const { t, view } = context;
  const name = t('methodOn', { currency: view.currency, network: destination.network }).text;
  const part = hasMemo(destination)
    ? memoTransferPart(context, destination)
    : addressTransferPart(context, destination);
  return html`<section class="destination" aria-label="${name}">${destination.isTest && html`<p class="warning test-network">${t('testNetwork')}</p>`}${part}</section>
<noscript>${checkAgain(context)}</noscript>`;
}

/** A transfer to an address that belongs to this payment alone. */
function addressTransferPart(context: PageContext, destination: CheckoutDestination): Html {
  const isReal = !isSimulated(context.view, destination);
  return html`${isReal && html`<div class="actions">${openWalletPart(context, destination)}${browserWalletPart(context, destination)}</div>${faucetPart(context, destination)}`}
${addressRows(context, destination, 0)}`;
}

/** The exact amount and the address. Networks differ in their decimals, and so may the amount. */
function addressRows(
  { t, view, format }: PageContext,
  destination: CheckoutDestination,
  index: number,
): Html {
  const { address, network, evm, amount, words } = destination;
  const label = isZero(view.amountReceived) ? t('amountPlain') : t('amountMissing');
  return html`<dl class="rows">
<div class="row-amount"><dt>${label}</dt><dd><bdi class="exact" dir="ltr" translate="no">${format.number(amount)} ${view.currency}</bdi>${copyButton({ t }, 'amount', amount, `amount-${index}`)}</dd></div>
<div><dt>${t('address')} · <span class="network">${t('onlyOnNetwork', { network })}</span></dt><dd>${addressText(address)}${copyButton({ t }, 'address', address, `address-${index}`)}</dd></div>${
    words &&
    html`
<div><dt>${t('sameWords')}</dt><dd><bdi class="exact" dir="ltr" translate="no">${words}</bdi></dd></div>`
  }
</dl>
${evm ? html`<p class="warning">${t('otherNetworkWarning', { currency: view.currency, network })}</p>` : html`<p class="hint">${t('onlyOn', { currency: view.currency, network })}</p>`}`;
}

/** What few people need of the shown destination: further codes, and the other networks. */
export function moreOfDestination(context: PageContext, destination: CheckoutDestination): Html {
  const { t, view } = context;
  const others = view.destinations.filter((each) => each !== destination && !hasMemo(each));
  return html`${otherCodesPart(context, destination)}
${others.map((other, index) =>
  disclosure(
    `other-network-${index + 1}`,
    t('orOnNetwork', { network: other.network }),
    addressRows(context, other, index + 1),
  ),
)}`;
}
