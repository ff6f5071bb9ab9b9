import { type Html, html } from '../../kit/http/html.ts';
import type { CheckoutDestination } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { type EvmDestination, isEvm, unitsToSend } from '../eip681.ts';
import { lateAfterMs, usualSeconds } from './sent.ts';

/**
 * Paying with a browser wallet. The page's script loads the wallet script, which reads from this part the transfer to
 * request and the texts to show.
 */
export function browserWalletPart(context: PageContext, destination: CheckoutDestination): Html | null {
  if (!context.offers('browser-wallet') || !isEvm(destination)) return null;
  const { t, assets } = context;
  const order = JSON.stringify(orderOf(context, destination));
  return html`<section class="in-browser needs-script" id="browser-wallet" aria-label="${t('browserWallet').text}" data-script="${assets.wallet.path}" data-transfer="${assets.transfer.path}" data-order="${order}"><button type="button" class="button plain" id="pay-wallet" data-press><span>${t('browserWallet')}</span></button><div class="status-text" id="wallet-status"></div></section>`;
}

/** Has the shape of `Order` in the wallet script. Units are text: JSON has no exact numbers of that size. */
function orderOf(context: PageContext, destination: EvmDestination) {
  const { view } = context;
  const { address, evm } = destination;
  return {
    payment: `${view.integration.id}:${view.reference}`,
    to: address,
    units: unitsToSend(destination).toString(),
    currency: view.currency,
    chainId: evm.chainId,
    chainName: evm.chainName,
    token: evm.token,
    scale: evm.scale,
    nativeSymbol: evm.nativeSymbol,
    publicRpcUrl: evm.publicRpcUrl,
    explorer: evm.explorer,
    seen: view.transfers.map(({ transaction }) => transaction),
    lateAfterMs: lateAfterMs(evm),
    words: wordsOf(context, destination),
  };
}

/** Values that are known only in the browser stay placeholders. */
function wordsOf({ t, view, format }: PageContext, { amount, network, evm }: EvmDestination) {
  const sum = format.amount(amount, view.currency);
  const words = {
    pay: t('browserWallet'),
    payWith: t('browserWalletPayWith', { wallet: '{wallet}' }),
    unnamed: t('browserWalletUnnamed'),
    none: t('browserWalletNone'),
    choose: t('browserWalletChoose'),
    connecting: t('browserWalletConnecting'),
    switching: t('browserWalletSwitching', { network }),
    checking: t('browserWalletChecking'),
    confirming: t('browserWalletConfirming', { amount: sum }),
    wrongNetwork: t('browserWalletWrongNetwork', { network, chain: evm.chainId }),
    tooLittle: t('browserWalletTooLittle', {
      balance: '{balance}',
      currency: view.currency,
      network,
      amount: sum,
    }),
    noGas: t('browserWalletNoGas', { symbol: evm.nativeSymbol, network }),
    declined: t('browserWalletDeclined'),
    unanswered: t('browserWalletUnanswered'),
    trouble: t('browserWalletTrouble', { problem: '{problem}' }),
    sentTitle: t('sentTitle'),
    sentLead: t('sentLead'),
    sentSince: t('sentSince', { time: '{time}' }),
    sentUsual: t('sentUsual', { network, time: format.duration(usualSeconds(evm)) }),
    notThrough: t('notThrough'),
    notThroughLead: t('notThroughLead', { amount: sum }),
    requested: t('browserWalletRequested'),
    reverted: t('browserWalletReverted'),
    show: t('showTransaction'),
    again: t('browserWalletAgain'),
    againWarning: t('browserWalletAgainWarning', { amount: sum }),
    againButton: t('browserWalletAgainButton', { amount: sum }),
  };
  return Object.fromEntries(Object.entries(words).map(([name, { text }]) => [name, text]));
}
