import { addressText } from '../../checkout/parts/copy.ts';
import { disclosure } from '../../checkout/parts/form.ts';
import { type Html, html } from '../../kit/http/html.ts';
import type { Asset } from '../../money/assets.ts';
import type { Payout } from '../../payouts/payout/payout.ts';
import type { WithdrawalAddress } from '../../wallets/withdrawals/addresses.ts';
import { linkTo, type PageContext } from '../context.ts';
import { button, field, hidden, postForm, section } from '../parts.ts';
import { withdrawalLine } from './withdrawals.ts';

export type WithdrawFacts = {
  addresses: readonly WithdrawalAddress[];
  withdrawals: readonly Payout[];
  /** Whether a new address must rest before it may be used. */
  checks: boolean;
};

/** Below the form: the address book, and what was withdrawn before. */
export function belowWithdrawal(context: PageContext, facts: WithdrawFacts, assets: readonly Asset[]): Html {
  const { say } = context;
  return html`${section('addresses', say('addressesTitle'), addressesPart(context, facts, assets))}
${facts.withdrawals.length > 0 && section('withdrawals', say('withdrawalsTitle'), html`<ol class="lines">${facts.withdrawals.map((payout) => withdrawalLine(context, payout))}</ol>`)}`;
}

function addressesPart(
  context: PageContext,
  { addresses, checks }: WithdrawFacts,
  assets: readonly Asset[],
): Html {
  const { say, t, format, now } = context;
  const list = addresses.map(
    ({ id, label, address, memo, usableAt }) =>
      html`<li><span><strong><bdi>${label}</bdi></strong><span class="line-note">${addressText(address)}${memo !== null && html` · <bdi dir="ltr">${memo}</bdi>`}</span>${usableAt > now && html`<span class="line-note">${say('addressRests', { time: format.time(usableAt, now) })}</span>`}${usableAt <= now && html`<span class="more"><a href="${linkTo(context, 'withdraw', { to: address, ...(memo === null ? {} : { memo }) })}">${say('addressUse')}<span class="visually-hidden">: ${label}</span></a></span>`}</span>${postForm(context, 'withdraw/address-off', html`${hidden('id', id)}<button class="quiet">${say('passkeyRemove')}<span class="visually-hidden"> ${label}</span></button>`)}</li>`,
  );
  const attributes = html`autocapitalize="none" autocomplete="off" spellcheck="false" maxlength="255" dir="ltr"`;
  const add = postForm(
    context,
    'withdraw/address',
    html`<div class="field"><label for="book-asset">${say('coin')}</label><select id="book-asset" name="asset" required>${assets.map(
      ({ code, currency, network }) => html`<option value="${code}">${currency} · ${network}</option>`,
    )}</select></div>
${field({ name: 'to', id: 'book-to', label: t('address'), attributes })}
${field({ name: 'memo', id: 'book-memo', label: say('withdrawMemo'), isOptional: true, attributes })}
${field({ name: 'label', id: 'book-label', label: say('addressLabel'), attributes: html`maxlength="60" autocomplete="off" dir="auto"` })}
${button(say('addressAdd'), 'plain')}`,
  );
  return html`${checks && html`<p class="hint">${say('addressesLead')}</p>`}${list.length > 0 && html`<ul class="rows-list">${list}</ul>`}${disclosure('add-address', say('addressAdd'), add)}`;
}
