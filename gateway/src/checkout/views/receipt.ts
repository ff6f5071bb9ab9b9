import { type Html, html } from '../../kit/http/html.ts';
import { documentStart } from '../../kit/pages/document-start.ts';
import { FAVICON } from '../../kit/pages/favicon.ts';
import { brandStyle } from '../brand/style.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import { type PageContext, type PageOptions, pageContext, pageQuery } from '../context.ts';
import { contactLinks } from '../parts/links.ts';
import { qrImage } from '../qr.ts';
import {
  type Letterhead,
  type ReceiptLine,
  type ReceiptNote,
  type ReceiptPart,
  receiptOf,
} from '../receipts/receipt.ts';

/**
 * The receipt of a completed payment as a sheet, which looks on the screen as it is printed (contract.md#receipts). Times are
 * in UTC, as in its mail: whoever reads it reads the same.
 */
export function renderReceipt(view: CheckoutPayment, options: PageOptions): string {
  const context = pageContext(view, options);
  const { t, locale, assets, hrefIn } = context;
  const { title, letterhead, parts } = receiptOf(context);
  const brand = brandStyle(view.integration.color);
  const document = html`${documentStart(locale)}
<title>${title} ${view.reference} · ${view.integration.name}</title>
<link rel="icon" href="${FAVICON}">
<link rel="stylesheet" href="${assets.receiptStyle.path}">${brand && html`<style>${brand.css}</style>`}
<script type="module" src="${assets.receiptScript.path}"></script>
</head>
<body>
<header class="tools"><a href="${hrefIn(locale)}" id="payment">${t('receiptBack')}</a><button type="button" id="print" hidden>${t('printReceipt')}</button></header>
<main class="sheet">
${view.mode === 'test' && html`<p class="test"><strong>${t('testLabel')}</strong> ${t('testBanner')}</p>`}
<div class="head">${letterheadPart(context, letterhead)}<h1>${title}</h1></div>
${parts.map(partOf)}
<div class="foot">${codePart(context)}<p class="maker">Florin</p></div>
</main>
</body>
</html>
`;
  return document.markup;
}

/** The shop: its mark, its name and what it said of itself. */
function letterheadPart({ view }: PageContext, { name, address, taxNumber }: Letterhead): Html {
  const { logoUrl } = view.integration;
  const contact = contactLinks(view.integration, view.reference);
  const lines = [...address, ...(taxNumber === null ? [] : [taxNumber])];
  return html`<address>${logoUrl && html`<img class="logo" src="${logoUrl}" alt="" height="40">`}<p class="shop"><bdi>${name}</bdi></p>${lines.map((line) => html`<p><bdi>${line}</bdi></p>`)}${contact}</address>`;
}

function partOf({ kind, title, lines }: ReceiptPart): Html {
  return html`<section class="${kind}">${title !== null && html`<h2>${title}</h2>`}<dl>${lines.map(kind === 'facts' ? factOf : lineOf)}</dl></section>\n`;
}

/** A fact has one value or several, such as the accounts that paid. */
function factOf({ name, value, notes }: ReceiptLine): Html {
  return html`<div class="fact"><dt>${name}</dt><dd>${value !== '' && html`<bdi>${value}</bdi>`}${notes.map(noteOf)}</dd></div>`;
}

function lineOf({ name, value, isTotal, notes }: ReceiptLine): Html {
  return html`<div class="line${isTotal && ' total'}"><dt><bdi>${name}</bdi></dt><dd><bdi>${value}</bdi></dd>${notes.length > 0 && html`<dd class="notes">${notes.map(noteOf)}</dd>`}</div>`;
}

function noteOf({ text, isCode, url }: ReceiptNote): Html {
  if (url !== undefined)
    return html`<span class="note"><a href="${url}" target="_blank" rel="noreferrer">${text}</a></span>`;
  return isCode
    ? html`<span class="note code" dir="ltr" translate="no">${text}</span>`
    : html`<span class="note"><bdi>${text}</bdi></span>`;
}

/** A code that opens the page of the payment. Whoever opens it can claim refunds, so it says that. */
function codePart({ t, view, origin, payPath, locale }: PageContext): Html {
  const url = `${origin}${payPath}?${pageQuery(view)}&lang=${locale}`;
  return html`<figure>${qrImage(url, t('qrPageLabel').text)}<figcaption>${t('receiptQr')}${!view.paysOnly && html` ${t('receiptQrClaims')}`}</figcaption></figure>`;
}
