import { addressText, code, copyButton } from '../../checkout/parts/copy.ts';
import { facts } from '../../checkout/parts/details.ts';
import { qrImage } from '../../checkout/qr.ts';
import { type Html, type HtmlValue, html } from '../../kit/http/html.ts';
import type { Balance } from '../../ledger/ledger.ts';
import type { Asset } from '../../money/assets.ts';
import type { ReusableAddress } from '../../payouts/arrivals/addresses.ts';
import { amountOf, linkTo, type PageContext, type View } from '../context.ts';
import { button, codeField, field, hidden, postForm, section } from '../parts.ts';

/** Links to the pages that move money. */
export function movesPart(context: PageContext): Html {
  const { say } = context;
  const link = (page: string, label: HtmlValue) =>
    html`<li><a class="button plain" href="${linkTo(context, page)}">${label}</a></li>`;
  return html`<ul class="moves">${link('receive', say('receive'))}${link('send', say('send'))}${link('withdraw', say('withdraw'))}</ul>`;
}

/** How to receive money: by the username from others, and at the user's own address from a network. */
export function receiveView(
  context: PageContext,
  {
    choices,
    chosen,
    address,
  }: { choices: readonly Asset[]; chosen: string; address: ReusableAddress | null },
): View {
  const { say, mode, session, site } = context;
  const username = session?.user.username ?? '';
  const choose = html`<form method="get" action="${site.path}/receive">${mode === 'test' && hidden('mode', mode)}${context.isChosen && hidden('lang', context.locale)}${assetField(context, choices, chosen)}${button(say('receiveShow'), 'plain')}</form>`;
  return {
    title: say('receiveTitle'),
    nav: 'home',
    main: html`<h1>${say('receiveTitle')}</h1><p class="lead plain">${say('receiveByName', { username })}</p>
${address ? addressPart(context, address) : namePart(context)}
${choices.length > 0 && section('outside', say('receiveChoose'), choose)}
${backPart(context)}`,
  };
}

/** A code by which the camera of another phone opens a send to the user. */
function namePart({ say, mode, session, site }: PageContext): Html {
  const username = session?.user.username ?? '';
  const query = new URLSearchParams({ to: username, ...(mode === 'test' ? { mode } : {}) });
  return html`<div class="codes">${qrImage(`${site.url}/send?${query}`, say('sendQr', { username }).text)}<p class="hint">${say('receiveScan')}</p></div>`;
}

function addressPart(context: PageContext, place: ReusableAddress): Html {
  const { say, t, mode, site } = context;
  const { address, memo, network, asset, is_readable } = place;
  const { currency } = site.assets.get(asset);
  return html`<section class="destination" data-address="${address}" ${memo !== null && html`data-memo="${memo}"`} aria-label="${t('methodOn', { currency, network }).text}">
${!is_readable && html`<p class="warning" role="status">${say('receiveUnreadable')}</p>`}
<dl class="rows"><div><dt>${t('address')} · <span class="network">${t('onlyOnNetwork', { network })}</span></dt><dd>${addressText(address)}${copyButton(context, 'address', address)}</dd></div>${memo !== null && html`<div><dt>${t('memo')}</dt><dd>${code(memo)}${copyButton(context, 'memo', memo)}</dd></div>`}</dl>
${memo === null ? html`<p class="warning">${t('otherNetworkWarning', { currency, network })}</p>` : html`<p class="warning">${t('memoWarning')}</p>`}
<div class="codes">${qrImage(address, t('qrAddressLabel', { address }).text)}${memo !== null && html`<p class="hint">${t('qrMemoHint', { memo })}</p>`}</div>
<p class="hint">${mode === 'test' ? say('receiveTest') : say('receiveKept')}</p></section>`;
}

function assetField({ say }: PageContext, choices: readonly Asset[], chosen: string): Html {
  return html`<div class="field"><label for="asset">${say('coin')}</label><select id="asset" name="asset" required>${choices.map(
    ({ code: each, currency, network }) =>
      html`<option value="${each}" ${each === chosen && html`selected`}>${currency} · ${network}</option>`,
  )}</select></div>`;
}

/** The fields of a form that moves money. */
export type MoveFields = { to: string; asset: string; amount: string; note: string; memo: string };

/** The form of a send or a withdrawal; `more` are its own fields. */
export function moveView(
  context: PageContext,
  page: 'send' | 'withdraw',
  { fields, balances, below }: { fields: MoveFields; balances: readonly Balance[]; below?: Html | null },
): View {
  const { say, t, site } = context;
  const isSend = page === 'send';
  const title = say(isSend ? 'sendTitle' : 'withdrawTitle');
  const usable = balances.filter(({ available }) => available > 0n);
  const attributes = html`autocapitalize="none" autocomplete="off" spellcheck="false" maxlength="255"`;
  const form = postForm(
    context,
    page,
    html`<div class="field"><label for="asset">${say('coin')}</label><select id="asset" name="asset" required>${usable.map(
      ({ asset, available }) =>
        html`<option value="${asset}" ${asset === fields.asset && html`selected`}>${amountOf(context, asset, available)} · ${site.assets.get(asset).network}</option>`,
    )}</select></div>
${field({ name: 'amount', label: say('amount'), attributes: html`value="${fields.amount}" inputmode="decimal" autocomplete="off" maxlength="60" dir="ltr"` })}
${field({ name: 'to', label: isSend ? say('sendTo') : t('address'), attributes: html`value="${fields.to}" dir="ltr" ${attributes}` })}
${
  isSend
    ? field({
        name: 'note',
        label: say('sendNote'),
        isOptional: true,
        attributes: html`value="${fields.note}" maxlength="140" autocomplete="off" dir="auto"`,
      })
    : field({
        name: 'memo',
        label: say('withdrawMemo'),
        isOptional: true,
        attributes: html`value="${fields.memo}" dir="ltr" ${attributes}`,
      })
}
${button(say('next'))}`,
  );
  return {
    title,
    nav: 'home',
    main: html`<h1>${title}</h1>${!isSend && html`<p class="lead plain">${say('withdrawLead')}</p>`}
${usable.length === 0 ? html`<div class="empty"><p>${say('sendNone')}</p></div>` : form}
${below}
${backPart(context)}`,
  };
}

/** What will happen, and the button that does it. `form` is the form's key: sent several times, it has one effect. */
export function checkView(
  context: PageContext,
  page: 'send' | 'withdraw',
  given: {
    title: { text: string } & Html;
    rows: ([HtmlValue, HtmlValue] | null)[];
    fields: MoveFields;
    form: string;
    needsCode: boolean;
    label: HtmlValue;
    hint?: HtmlValue;
  },
): View {
  const { say } = context;
  const { title, rows, fields, form, needsCode, label, hint } = given;
  const kept = Object.entries({ ...fields, form, confirm: 'yes' }).filter(([, value]) => value !== '');
  return {
    title,
    nav: 'home',
    main: html`<h1>${title}</h1>${facts(rows.filter((row) => row !== null))}
${hint && html`<p class="hint">${hint}</p>`}
${postForm(
  context,
  page,
  html`${kept.map(([name, value]) => hidden(name, value))}${needsCode && codeField(say('code'))}${button(label)}`,
  'check',
)}
${backPart(context, page)}`,
  };
}

function backPart(context: PageContext, page = ''): Html {
  return html`<ul class="links"><li><a href="${linkTo(context, page)}">${context.say('back')}</a></li></ul>`;
}
