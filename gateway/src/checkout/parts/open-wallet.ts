import { type Html, html } from '../../kit/http/html.ts';
import type { CheckoutDestination } from '../checkout-payment.ts';
import { type PageContext, pageQuery } from '../context.ts';
import { isEvm, transferUri, walletLinks } from '../eip681.ts';

/**
 * On a phone: the page's filled button opens the transfer in a wallet, below it are those of single wallets. The page's script
 * remembers which one was pressed and makes it the filled one.
 */
export function openWalletPart(context: PageContext, destination: CheckoutDestination): Html | null {
  if (!isEvm(destination)) return null;
  const { t } = context;
  const template = t('openWalletNamed', { wallet: '{wallet}' }).text;
  return html`<div class="open-wallet" id="open-wallet" data-template="${template}" data-other="${t('anotherWallet').text}"><a class="button primary" id="open-wallet-any" href="${transferUri(destination)}"${outOfFrame(context)} data-wallet>${t('openWallet')}</a><div class="wallets">${walletLinks(
    destination,
  ).map(
    ({ wallet, href }, index) =>
      html`<a class="button plain" id="open-wallet-${index}" href="${href}" data-wallet="${wallet}" rel="noreferrer"${outOfFrame(context)}><bdi>${wallet}</bdi></a>`,
  )}</div></div>`;
}

/** On a phone, outside the Pi Browser: the same page in it, where Pi's SDK can pay; null where that is not possible. */
export function openPiBrowserPart(context: PageContext, { pi }: CheckoutDestination): Html | null {
  const { t, view, origin, payPath, isPiBrowser } = context;
  const isReachable = origin.startsWith('https://');
  if (!pi?.sdkUrl || pi.walletUrl !== null || isPiBrowser || !isReachable) return null;
  const address = `${origin.replace(/^https:/, 'pi:')}${payPath}?${pageQuery(view)}`;
  return html`<div class="open-wallet"><a class="button primary" id="open-pi-browser" href="${address}"${outOfFrame(context)} rel="noreferrer">${t('openPiBrowser')}</a></div>`;
}

/** In a frame such a link opens beside it: the shop's page stays, and no other page takes the place of this one. */
function outOfFrame({ frame }: PageContext): Html | null {
  return frame ? html` target="_blank"` : null;
}
