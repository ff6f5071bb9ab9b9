import { type Html, html } from '../../kit/http/html.ts';
import type { CheckoutDestination } from '../checkout-payment.ts';
import { type PageContext, pageQuery } from '../context.ts';
import { isEvm, transferUri } from '../eip681.ts';
import { qrSvg } from '../qr.ts';

type Code = { id: string; summary: Html; code: Html; hint: Html | null; className?: string };

/**
 * The QR codes of a destination, one open at a time. The address alone holds neither token nor network. So the first
 * code is the address of this page, if a phone can reach it. The whole transfer comes last: few wallets can read it.
 */
export function codesPart(context: PageContext, destination: CheckoutDestination, index: number): Html {
  const codes = codesOf(context, destination);
  const [only] = codes;
  if (codes.length === 1 && only) return html`<div class="codes">${only.code}${hintPart(only)}</div>`;
  return html`<div class="codes">
${codes.map(
  ({ id, summary, code, hint, className }, at) =>
    html`<details ${className && html`class="${className}"`} name="qr-${index}" id="${id}-${index}" ${at === 0 && html`open`}><summary id="${id}-${index}-summary">${summary}</summary>${code}${hintPart({ hint })}</details>`,
)}
</div>`;
}

function hintPart({ hint }: Pick<Code, 'hint'>): Html | null {
  return hint && html`<p class="hint">${hint}</p>`;
}

function codesOf(context: PageContext, destination: CheckoutDestination): Code[] {
  const { t, view, origin, payPath, format } = context;
  const { address, amount, network, memo } = destination;
  const codes: Code[] = [
    {
      id: 'address-code',
      summary: t('showAddressQr'),
      code: qrSvg(address, t('qrAddressLabel', { address }).text),
      // Pi's wallets read no code that holds both address and memo.
      hint: memo === null ? null : t('qrMemoHint', { memo }),
    },
  ];
  if (view.mode === 'test') return codes;
  if (origin.startsWith('https:')) {
    codes.unshift({
      id: 'page-code',
      className: 'on-phone',
      summary: t('continueOnPhone'),
      code: qrSvg(`${origin}${payPath}?${pageQuery(view)}`, t('qrPageLabel').text),
      hint: t('continueOnPhoneHint'),
    });
  }
  if (isEvm(destination)) {
    const sum = format.amount(amount, view.currency);
    codes.push({
      id: 'transfer-code',
      summary: t('showTransferQr'),
      code: qrSvg(transferUri(destination), t('qrTransferLabel', { amount: sum, network }).text),
      hint: t('transferQrHint'),
    });
  }
  return codes;
}
