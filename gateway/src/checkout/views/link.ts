import { isDirectIn } from '../../identity/own-addresses.ts';
import { type Html, type HtmlValue, html } from '../../kit/http/html.ts';
import { currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { linkAsked } from '../../payments/links/link.ts';
import { chargedOn } from '../../payments/payment/amount.ts';
import type { CheckoutAssets } from '../assets.ts';
import type { PaidShop } from '../checkout-payment.ts';
import { formatOf } from '../format.ts';
import { type IconName, icon } from '../icons.ts';
import { type AmountFault, faultText, limitsText } from '../links/amount.ts';
import type { LinkPage } from '../links/find-link.ts';
import { type Locale, messagesOf } from '../locale.ts';
import { type Translate, translator } from '../messages/translate.ts';
import { contactLinks } from '../parts/links.ts';
import { adjustmentText } from '../priced.ts';
import { layout } from './layout.ts';
import { orderColumn } from './order.ts';

export type LinkPageOptions = {
  locale: Locale;
  assets: CheckoutAssets;
  now: Date;
  /** Names the form, so that sending it twice makes one payment. */
  nonce: string;
  /** What the customer wrote, and what is wrong with it. */
  written?: string;
  fault?: AmountFault | null;
  /** The list of languages is shown in place of the page. */
  asksLanguage: boolean;
  /** The form was sent too often. */
  tooMany?: boolean;
};

type Context = LinkPageOptions & LinkPage & { t: Translate; format: ReturnType<typeof formatOf> };

/** Renders the page of a payment link. Only its form makes a payment. */
export function renderLink(page: LinkPage, options: LinkPageOptions): string {
  const { locale, assets } = options;
  const t = translator(locale, messagesOf(locale));
  const context: Context = { ...page, ...options, t, format: formatOf(locale) };
  const { link, shop } = page;
  return layout({
    ...{ locale, t, assets },
    title: `${link.title} · ${shop.name}`,
    testMode: link.mode === 'test',
    color: shop.color,
    order: orderColumn(t, shop, { headline: headlineOf(context), goods: null }),
    action: actionPart(context),
    state: html` data-screen="link-${page.state.name}"`,
    languageHref: (other) => `/l/${link.code}?lang=${other}`,
    asksLanguage: options.asksLanguage,
    live: null,
    script: null,
  });
}

function actionPart(context: Context): Html {
  const { state, t, link, shop, now, format } = context;
  const merchant = shop.name;
  switch (state.name) {
    case 'open':
      return html`${head('coins', 'calm', html`<bdi>${link.title}</bdi>`, null)}
${link.description && html`<p class="lead description"><bdi>${link.description}</bdi></p>`}${payForm(context)}<p class="hint">${t('linkLead')}</p>`;
    case 'taken': {
      if (state.own)
        return html`${head('clock', 'wait', t('linkOwnTitle'), t('linkOwnLead'))}${onward(state.own, t('linkOwnButton'))}`;
      const lead = state.until
        ? t('linkTakenLead', { time: format.time(state.until, now) })
        : t('linkTakenOpenLead', { merchant });
      return html`${head('clock', 'wait', t('linkTakenTitle'), lead)}${checkAgainLink(context)}${!state.until && contactOf(shop)}`;
    }
    case 'used':
      return html`${head('check', 'good', t('linkUsedTitle'), t('linkUsedLead'))}${state.own && onward(state.own, t('linkOwnPaid'))}`;
    case 'expired': {
      const time = format.time(link.expiresAt ?? now, now);
      return html`${head('clock', 'bad', t('linkExpiredTitle'), t('linkExpiredLead', { time, merchant }))}${contactOf(shop)}`;
    }
    case 'stopped':
      return html`${head('minus', 'bad', t('linkStoppedTitle'), t('linkStoppedLead', { merchant }))}${contactOf(shop)}`;
    case 'closed':
      return html`${head('minus', 'bad', t('noMethodTitle'), t('linkClosedLead'))}${checkAgainLink(context)}`;
  }
}

function head(name: IconName, tone: string, title: HtmlValue, lead: HtmlValue): Html {
  return html`<div class="status ${tone}">${icon(name)}<h1 id="state">${title}</h1></div>${lead && html`<p class="lead">${lead}</p>`}`;
}

function contactOf(shop: PaidShop): Html | null {
  const contact = contactLinks(shop, null);
  return contact && html`<p>${contact}</p>`;
}

function onward(url: string, label: HtmlValue): Html {
  return html`<a class="button primary" id="own-payment" href="${url}">${label}</a>`;
}

function checkAgainLink({ t, link, locale }: Context): Html {
  return html`<a class="button" id="check-again" href="/l/${link.code}?lang=${locale}">${t('checkAgain')}</a>`;
}

/** The fee and the sum of a payment by the link, if its amount is fixed. */
function due({ link, creator, now }: Context): { fee: string | null; due: string } | null {
  // The fee of a price follows from what it will be paid in.
  if (link.price) return { fee: null, due: linkAsked(link).amount ?? '' };
  const { amount, currency } = link;
  if (amount === null) return null;
  const scale = currencyScale[currency];
  const { fee: terms, feePayer, ownAddresses } = creator.integration;
  const isDirect = isDirectIn(ownAddresses, { mode: creator.mode, currency }, now);
  const { due: units } = chargedOn(amount, { terms, feePayer, isDirect }, scale);
  const fee = units - amount;
  return { fee: fee > 0n ? decimalOf(fee, scale) : null, due: decimalOf(units, scale) };
}

function headlineOf(context: Context) {
  const { t, format, link, state } = context;
  const sum = state.name === 'open' ? due(context) : null;
  if (!sum) return null;
  const { currency } = linkAsked(link);
  return {
    label: t('amountToPay'),
    number: format.number(sum.due, currency),
    currency,
    note: feeNote(context, sum.fee, currency),
  };
}

/** The fee in the sum; of a price it is known once the customer has chosen what to pay with, and what else is added is named. */
function feeNote(context: Context, fee: string | null, currency: string) {
  const { t, format, link, creator } = context;
  if (link.price) {
    const { feePayer, priceAdjustment } = creator.integration;
    const notes = [adjustmentText(context, priceAdjustment), feePayer === 'customer' && t('linkFeeAdded')];
    return html`${notes.map((note) => note && html`<p class="amount-note">${note}</p>`)}`;
  }
  return fee !== null && t('feeIncluded', { fee: format.amount(fee, currency) });
}

function payForm(context: Context): Html {
  const { link, locale, nonce, t, format, tooMany } = context;
  const sum = due(context);
  const label = sum
    ? t('payNow', { amount: format.amount(sum.due, linkAsked(link).currency) })
    : t('linkContinue');
  return html`<form method="post" action="/l/${link.code}" id="link-form"><input type="hidden" name="lang" value="${locale}"><input type="hidden" name="nonce" value="${nonce}">
${tooMany && html`<p class="notice bad" role="alert">${t('linkTooMany')}</p>`}${!sum && amountField(context)}<button class="button primary" id="pay">${label}</button></form>`;
}

/** The field of an amount that the customer chooses, with its fault beside it. */
function amountField(context: Context): Html {
  const { link, t, written, fault, creator } = context;
  const limits = limitsText(context, link);
  const isCharged = creator.integration.feePayer === 'customer';
  const described = [limits && 'amount-limits', isCharged && 'amount-fee', fault && 'amount-fault'].filter(
    Boolean,
  );
  return html`<div class="field"><label for="amount">${t('linkAmount', { currency: linkAsked(link).currency })}</label><input id="amount" name="amount" inputmode="decimal" autocomplete="off" dir="ltr" maxlength="40" required value="${written ?? ''}" ${described.length > 0 && html`aria-describedby="${described.join(' ')}"`} ${fault && html`aria-invalid="true" autofocus`}>
${fault && html`<p class="fault" id="amount-fault" role="alert">${faultText(context, link, fault)}</p>`}${limits && html`<p class="hint" id="amount-limits">${limits}</p>`}${isCharged && html`<p class="hint" id="amount-fee">${t('linkFeeAdded')}</p>`}</div>`;
}
