import { safeUrl } from '../../kit/http/html.ts';
import { decimalOf } from '../../money/money.ts';
import type { CheckoutPayment, CheckoutTransfer } from '../checkout-payment.ts';
import type { Format } from '../format.ts';
import type { Translate } from '../messages/translate.ts';
import { type RefundLine, refundWords } from '../owed.ts';
import { paidAmount } from '../paid.ts';
import {
  adjustmentText,
  hasFee,
  isAsExpected,
  lineScale,
  lineUnits,
  priceTotal,
  rateText,
  worthText,
} from '../priced.ts';

/** What stands below a line. An address or a hash is `code`; a link has its `url`. */
export type ReceiptNote = { text: string; isCode?: boolean; url?: string };

/** A line: what it is about, and its value, which may be empty. */
export type ReceiptLine = { name: string; value: string; isTotal?: boolean; notes: readonly ReceiptNote[] };

/** Lines about one thing; `title` is null where they need none. */
export type ReceiptPart = {
  kind: 'facts' | 'items' | 'sums' | 'transfers' | 'refunds';
  title: string | null;
  lines: readonly ReceiptLine[];
};

/** Who was paid: the name, the lines of the address, and the tax number with its label; null: there is none. */
export type Letterhead = { name: string; address: readonly string[]; taxNumber: string | null };

/**
 * What a receipt says, as plain text in one language. Its page and its mail say the same (contract.md#receipts). What is not
 * known is left out.
 */
export type Receipt = { title: string; letterhead: Letterhead; parts: readonly ReceiptPart[] };

/** Where the receipt of a payment is, beside its page. */
export const receiptPath = (payPath: string): string => `${payPath}/receipt`;

/** The payment of a receipt, and the words of its language. */
type ReceiptWords = { view: CheckoutPayment; t: Translate; format: Format };

/** The receipt of a completed payment. */
export function receiptOf(words: ReceiptWords): Receipt {
  const parts = [factsOf(words), itemsOf(words), sumsOf(words), transfersOf(words), refundsOf(words)];
  return {
    title: words.t('receipt').text,
    letterhead: letterheadOf(words),
    parts: parts.filter(({ lines }) => lines.length > 0),
  };
}

function letterheadOf({ view, t }: ReceiptWords): Letterhead {
  const { name, letterhead } = view.integration;
  const { address, taxNumber } = letterhead;
  return {
    name: plain(name),
    address: address?.split('\n').map(plain) ?? [],
    taxNumber: taxNumber === null ? null : labelled(t('taxNumber').text, plain(taxNumber)),
  };
}

function factsOf({ view, t, format }: ReceiptWords): ReceiptPart {
  const { reference, integration, completedAt, createdAt } = view;
  const payers = payersOf({ view, t });
  return part('facts', null, [
    line(t('reference').text, reference),
    ...(completedAt ? [line(t('paidAt').text, format.time(completedAt))] : []),
    line(t('createdAt').text, format.time(createdAt)),
    line(t('paidTo').text, plain(integration.name)),
    ...(payers.length > 0 ? [line(t('paidFrom').text, '', payers)] : []),
  ]);
}

/** Where the money came from: accounts as the networks name them, each once, or a wallet. */
function payersOf({ view, t }: Pick<ReceiptWords, 'view' | 't'>): ReceiptNote[] {
  const shown = shownTransfers(view);
  const senders = new Set(shown.flatMap(({ sender }) => (sender === null ? [] : [sender])));
  const isWallet = shown.some(({ network }) => network === null);
  return [
    ...[...senders].map((text) => ({ text, isCode: true })),
    ...(isWallet ? [{ text: walletName({ view, t }) }] : []),
  ];
}

const walletName = ({ view, t }: Pick<ReceiptWords, 'view' | 't'>): string =>
  t('methodWallet', { wallet: view.wallet.name }).text;

function itemsOf(words: ReceiptWords): ReceiptPart {
  const { view, t } = words;
  const asked = askedBy(words);
  const lines = view.items.map((item) => {
    const { name, price, quantity } = item;
    const units = lineUnits(item);
    const sum = asked(units === null ? `${price}` : decimalOf(units, lineScale));
    const each = `× ${quantity} · ${t('itemEach', { price: asked(`${price}`) }).text}`;
    return line(plain(name), sum, quantity === 1 ? [] : [{ text: each }]);
  });
  return part('items', t('items').text, lines);
}

function sumsOf(words: ReceiptWords): ReceiptPart {
  const { view, t, format } = words;
  const { amount: price, fee } = view.price ?? view;
  const asked = askedBy(words);
  const paid = (amount: string) => format.amount(amount, view.currency);
  const adjustment = adjustmentText(words, view.price?.adjustment ?? 0);
  const rate = rateText(words);
  return part('sums', null, [
    ...(hasFee(view) ? [line(t('price').text, asked(price)), line(t('fee').text, asked(fee))] : []),
    {
      ...line(t('total').text, asked(priceTotal(view) ?? view.amountDue)),
      ...{ isTotal: true, notes: adjustment ? [{ text: adjustment.text }] : [] },
    },
    line(t('amountPaid').text, paid(paidAmount(view))),
    ...(rate === null ? [] : [line(t('rate').text, rate)]),
    ...(isAsExpected(view) ? [] : [line(t('received').text, paid(view.amountReceived))]),
    ...view.owed.map(({ amount, currency }) => line(t('owedTitle').text, format.amount(amount, currency))),
  ]);
}

function transfersOf(words: ReceiptWords): ReceiptPart {
  const { view, t, format } = words;
  const lines = shownTransfers(view).map((transfer) => {
    const { network, seenAt, amount, currency, transaction, explorerUrl } = transfer;
    return line(network ?? walletName(words), format.amount(amount, currency), [
      { text: format.time(seenAt) },
      ...(currency === view.currency ? [] : [{ text: t('transferOtherCurrency').text }]),
      ...(transfer.state === 'final' ? [] : [{ text: t('transferConfirming').text }]),
      ...transactionNotes(words, transaction, explorerUrl),
    ]);
  });
  return part('transfers', t('transfers').text, lines);
}

/** The refunds, unless the page was opened by an invoice's id, which shows none (contract.md#btcpay). */
function refundsOf(words: ReceiptWords): ReceiptPart {
  const { view, t, format } = words;
  const lines = (view.paysOnly ? [] : view.refunds).map((refund) => {
    const { network, status, amount, currency } = refund;
    const state = { text: t(refundWords[status]).text };
    return line(network, format.amount(amount, currency), [state, ...refundNotes(words, refund)]);
  });
  return part('refunds', t('refundsTitle').text, lines);
}

function refundNotes(words: ReceiptWords, refund: RefundLine): ReceiptNote[] {
  const { t } = words;
  const { amount, currency, to, memo, transaction, explorerUrl } = refund;
  const worth = worthText(words, amount, currency);
  return [
    ...(worth === null ? [] : [{ text: t('worthAbout', { amount: worth }).text }]),
    ...(to === null ? [] : [{ text: to, isCode: true }]),
    ...(memo === null ? [] : [{ text: labelled(t('memo').text, memo) }]),
    ...(transaction === null ? [] : transactionNotes(words, transaction, explorerUrl)),
  ];
}

/** A transaction in full, since paper has no links, and the explorer that shows it. */
function transactionNotes(
  { t }: Pick<ReceiptWords, 't'>,
  transaction: string,
  explorerUrl: string | null,
): ReceiptNote[] {
  const url = safeUrl(explorerUrl);
  const link = url && { text: `${t('showTransaction').text} (${url.host})`, url: url.href };
  return [{ text: transaction, isCode: true }, ...(link ? [link] : [])];
}

/** What came and is still on its chain. */
const shownTransfers = ({ transfers }: CheckoutPayment): CheckoutTransfer[] =>
  transfers.filter(({ state }) => state !== 'gone');

const askedBy =
  ({ view, format }: ReceiptWords) =>
  (decimal: string): string =>
    format.amount(decimal, (view.price ?? view).currency);

const part = (
  kind: ReceiptPart['kind'],
  title: string | null,
  lines: readonly ReceiptLine[],
): ReceiptPart => ({
  kind,
  title,
  lines,
});

const line = (name: string, value: string, notes: readonly ReceiptNote[] = []): ReceiptLine => ({
  name,
  value,
  notes,
});

const labelled = (label: string, value: string): string => `${label}: ${value}`;

/** Text of a merchant on one line: it can begin no line of its own, and turns nothing around that stands after it. */
const plain = (text: string): string =>
  text.replaceAll(/[\p{Cc}\s\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
