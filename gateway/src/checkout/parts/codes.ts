import { type Html, html } from '../../kit/http/html.ts';
import { type CheckoutDestination, isSimulated } from '../checkout-payment.ts';
import { type PageContext, pageQuery } from '../context.ts';
import { isEvm, transferUri } from '../eip681.ts';
import { qrImage } from '../qr.ts';

type Code = { id: string; summary: Html; code: Html; hint: Html | null };

/**
 * The QR code beside the destination. It holds the address of this page if a phone can open it, because the address of the
 * destination alone names neither token nor network. A phone does not show the code.
 */
export function codePart(context: PageContext, destination: CheckoutDestination): Html {
  const [{ summary, code, hint }] = codesOf(context, destination);
  return html`<figure class="code-side">${code}<figcaption>${hint ?? summary}</figcaption></figure>`;
}

/**
 * The codes that do not stand beside the destination, one open at a time. The whole transfer comes last: few wallets can
 * read it. Where money is simulated the simulator stands there, and all codes are here.
 */
export function otherCodesPart(context: PageContext, destination: CheckoutDestination): Html[] {
  const [first, ...others] = codesOf(context, destination);
  return (isSimulated(context.view, destination) ? [first, ...others] : others).map(
    ({ id, summary, code, hint }) =>
      html`<details name="qr" id="${id}-0"><summary id="${id}-0-summary">${summary}</summary>${code}${hint && html`<p class="hint">${hint}</p>`}</details>`,
  );
}

function codesOf(context: PageContext, destination: CheckoutDestination): [Code, ...Code[]] {
  const { t, view, origin, payPath, format } = context;
  const { address, amount, network, memo } = destination;
  const ofAddress: Code = {
    id: 'address-code',
    summary: t('showAddressQr'),
    code: qrImage(address, t('qrAddressLabel', { address }).text),
    // Pi's wallets read no code that holds both address and memo.
    hint: memo === null ? null : t('qrMemoHint', { memo }),
  };
  if (isSimulated(view, destination)) return [ofAddress];
  const more: Code[] = [];
  if (isEvm(destination)) {
    const sum = format.amount(amount, view.currency);
    more.push({
      id: 'transfer-code',
      summary: t('showTransferQr'),
      code: qrImage(transferUri(destination), t('qrTransferLabel', { amount: sum, network }).text),
      hint: t('transferQrHint'),
    });
  }
  if (!origin.startsWith('https:')) return [ofAddress, ...more];
  const ofPage: Code = {
    id: 'page-code',
    summary: t('continueOnPhone'),
    code: qrImage(`${origin}${payPath}?${pageQuery(view)}`, t('qrPageLabel').text),
    hint: t('continueOnPhoneHint'),
  };
  return [ofPage, ofAddress, ...more];
}
