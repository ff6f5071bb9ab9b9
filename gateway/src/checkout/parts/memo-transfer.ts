import { type Html, html } from '../../kit/http/html.ts';
import { isSimulated } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { type MemoDestination, memoSteps } from './memo-steps.ts';
import { openPiBrowserPart } from './open-wallet.ts';
import { piBrowserPart } from './pi-browser.ts';
import { scripted } from './scripted.ts';

/**
 * A transfer to a shared account, where the memo says which payment it is for. Where Pi's SDK can pay, that comes
 * first, and the transfer is behind a line. It stands beside its disclosure, not in it, because without a script it is
 * shown at once.
 */
export function memoTransferPart(context: PageContext, destination: MemoDestination): Html {
  const { t, view } = context;
  const isReal = !isSimulated(view, destination);
  const pi = isReal ? piBrowserPart(context, destination) : null;
  const transfer = html`${memoSteps(context, destination, pi === null)}
<p class="hint">${t('onlyOn', { currency: view.currency, network: destination.network })}</p>`;
  const demo = demoWalletLink(context, destination);
  if (!pi) return html`${isReal && openPiBrowserPart(context, destination)}${transfer}${demo}`;
  return html`${pi}${demo}<details id="by-transfer"><summary id="by-transfer-summary">${scripted(t('piTransfer'), t('piTransferOnly'))}</summary></details><div class="transfer">${transfer}</div>`;
}

/** A link to the simulated wallet of a demo network, with the transfer filled in. */
function demoWalletLink({ t }: PageContext, { address, amount, memo, pi }: MemoDestination): Html | null {
  if (!pi?.walletUrl) return null;
  const query = new URLSearchParams({ to: address, amount, memo });
  return html`<a class="button plain" id="demo-wallet" href="${pi.walletUrl}?${query.toString()}" target="_blank" rel="noopener noreferrer">${t('openDemoWallet')}</a>`;
}
