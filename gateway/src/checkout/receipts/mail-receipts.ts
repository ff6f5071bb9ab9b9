import { mailAccent } from '../../identity/integrations/brand-color.ts';
import { payUrlOf } from '../../identity/integrations/page-domain.ts';
import { letter } from '../../identity/mail/letter.ts';
import { type Letter, queueMail } from '../../identity/mail/mail.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { markMailed, takeDueReceipts } from '../../payments/receipts/receipt-mails.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import { findForPage, type PageDeps } from '../find-payment.ts';
import { formatOf, shownUrl } from '../format.ts';
import { type Locale, localeOfTag, messagesOf } from '../locale.ts';
import { translator } from '../messages/translate.ts';
import { paidAmount } from '../paid.ts';
import { adjustmentText, priceTotal, rateText } from '../priced.ts';

export type ReceiptDeps = PageDeps & {
  /** The public address of the hosted page. */
  payUrl: string;
};

/** Queues the receipts of payments that were completed, each once, in the languages of their customers. */
export async function mailReceipts(db: Database, deps: ReceiptDeps, now: Date): Promise<void> {
  for (let wereSome = true; wereSome; ) {
    wereSome = await transaction(db, async (tx) => {
      const due = await takeDueReceipts(tx, now);
      for (const receipt of due) {
        const payment = await findForPage(tx, deps, receipt);
        const locale = localeOfTag(receipt.locale) ?? 'en';
        if (payment) await mailReceipt(tx, deps, payment, { email: receipt.email, locale, now });
      }
      return due.length > 0;
    });
  }
}

/** Queues the receipt of a completed payment, and notes that. */
export async function mailReceipt(
  tx: Tx,
  { payUrl }: Pick<ReceiptDeps, 'payUrl'>,
  payment: CheckoutPayment,
  { now, ...to }: { email: string; locale: Locale; now: Date },
): Promise<void> {
  await queueMail(tx, { to: to.email, ...receiptLetter(payUrl, payment, to.locale) });
  await markMailed(tx, payment.id, to, now);
}

/** The mail of a receipt: what was paid to whom, and a link to the page, which shows the receipt. */
export function receiptLetter(payUrl: string, payment: CheckoutPayment, locale: Locale): Letter {
  const { reference, integration, token, currency } = payment;
  const t = translator(locale, messagesOf(locale));
  const merchant = integration.name;
  const format = formatOf(locale);
  const paid = format.amount(paidAmount(payment), currency);
  const rate = rateText({ view: payment, format });
  const adjustment = adjustmentText({ t, format }, payment.price?.adjustment ?? 0);
  const total = priceTotal(payment);
  const isWhole = payment.price !== null && paidAmount(payment) === payment.amountDue;
  const amount = isWhole && total !== null ? format.amount(total, payment.price?.currency ?? '') : paid;
  const query = new URLSearchParams({ reference, app: integration.id, token, lang: locale });
  const { email, url } = integration.contact;
  const contact = [email, url && shownUrl(url)].filter(Boolean).join(', ');
  return letter({
    kind: 'receipt',
    subject: t('receiptMailSubject', { merchant }).text,
    paragraphs: [
      t('receiptMailLead', { amount, merchant }).text,
      ...(isWhole ? [t('paidWith', { amount: paid }).text] : []),
      ...(adjustment ? [`${t('price').text}: ${adjustment.text}`] : []),
      ...(rate === null ? [] : [`${t('rate').text}: ${rate}`]),
      `${t('reference').text}: ${reference}`,
      ...(contact ? [`${t('contact').text}: ${contact}`] : []),
    ],
    action: { label: t('receiptMailAction').text, url: `${payUrlOf(payUrl, integration)}?${query}` },
    closing: t('receiptMailClosing').text,
    ...mailAccent(integration.color),
    locale,
  });
}
