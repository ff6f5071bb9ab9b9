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
import { type Translate, translator } from '../messages/translate.ts';
import { paidAmount } from '../paid.ts';
import { priceTotal } from '../priced.ts';
import { type Letterhead, receiptOf, receiptPath } from './receipt.ts';

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

/** The mail of a receipt: what was paid to whom, all that the receipt says, and a link to it. */
export function receiptLetter(payUrl: string, payment: CheckoutPayment, locale: Locale): Letter {
  const { reference, integration, token, currency } = payment;
  const t = translator(locale, messagesOf(locale));
  const merchant = integration.name;
  const format = formatOf(locale);
  const paid = format.amount(paidAmount(payment), currency);
  const total = priceTotal(payment);
  const isWhole = payment.price !== null && paidAmount(payment) === payment.amountDue;
  const amount = isWhole && total !== null ? format.amount(total, payment.price?.currency ?? '') : paid;
  const query = new URLSearchParams({ reference, app: integration.id, token, lang: locale });
  const { letterhead, title, parts } = receiptOf({ view: payment, t, format });
  const [facts, ...others] = parts;
  return letter({
    kind: 'receipt',
    subject: t('receiptMailSubject', { merchant }).text,
    paragraphs: [
      t('receiptMailLead', { amount, merchant }).text,
      ...(isWhole ? [t('paidWith', { amount: paid }).text] : []),
    ],
    lists: [
      { title: letterhead.name, lines: shopLines(payment, letterhead, t) },
      ...(facts ? [{ ...facts, title }] : []),
      ...others,
    ],
    action: { label: t('receiptShow').text, url: `${receiptPath(payUrlOf(payUrl, integration))}?${query}` },
    closing: t('receiptMailClosing').text,
    ...mailAccent(integration.color),
    locale,
  });
}

/** What stands below the shop's name. */
function shopLines({ integration }: CheckoutPayment, { address, taxNumber }: Letterhead, t: Translate) {
  const { email, url } = integration.contact;
  const contact = [email, url && shownUrl(url)].filter(Boolean).join(', ');
  const lines = [
    ...address,
    ...(taxNumber === null ? [] : [taxNumber]),
    ...(contact === '' ? [] : [`${t('contact').text}: ${contact}`]),
  ];
  return lines.map((name) => ({ name, value: '', notes: [] }));
}
