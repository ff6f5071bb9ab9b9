import { type Html, html } from '../../kit/http/html.ts';
import type { Balance } from '../../ledger/ledger.ts';
import type { Payout } from '../../payouts/payout/payout.ts';
import type { Worth } from '../../wallets/worth.ts';
import type { Coin } from '../coins.ts';
import { amountOf, linkTo, type PageContext, type View } from '../context.ts';
import { daysOf } from '../days.ts';
import type { WalletLine } from '../lines.ts';
import { coinsPart } from './coins.ts';
import { installLink } from './install.ts';
import { daysPart } from './lines.ts';
import { movesPart } from './moving.ts';
import { protectPart } from './protect.ts';
import { onItsWayPart } from './withdrawals.ts';

export type MoneyFacts = {
  coins: readonly Coin[];
  /** What the coins are worth; null: the user chose no currency. */
  worth: Worth | null;
  debts: readonly Balance[];
  /** The newest lines. */
  lines: readonly WalletLine[];
  /** Withdrawals that have not left yet. */
  pending: readonly Payout[];
};

/** The first page after the sign-in: what can be done, what is there, and the newest lines. */
export function moneyView(context: PageContext, given: MoneyFacts): View {
  const { say, mode, session } = context;
  const { coins, worth, debts, lines, pending } = given;
  return {
    title: say('moneyTitle'),
    nav: 'home',
    main: html`<h1>${say('moneyTitle')}</h1>
${session?.user.isFrozen && html`<p class="notice bad">${say('faultFrozen')}</p>`}
${debts.filter(({ available }) => available < 0n).map((debt) => debtPart(context, debt))}
${movesPart(context)}
${coins.length === 0 ? emptyPart(context) : coinsPart(context, coins, worth)}
${protectPart(context)}
${onItsWayPart(context, pending)}
${lines.length > 0 && html`<section aria-labelledby="latest"><h2 id="latest">${say('latest')}</h2>${daysPart(context, daysOf(lines), { heading: 'h3', withBalance: false })}<p class="more"><a href="${linkTo(context, 'history')}">${say('historyAll')}</a></p></section>`}
<ul class="links"><li><a href="${linkTo({ ...context, mode: mode === 'test' ? 'live' : 'test' }, '')}">${say(mode === 'test' ? 'showLive' : 'showTest')}</a></li>${installLink(context)}</ul>`,
  };
}

function emptyPart({ say, mode, session }: PageContext): Html {
  const username = session?.user.username ?? '';
  return html`<div class="empty"><p><strong>${say('moneyNone')}</strong></p><p>${mode === 'test' ? say('moneyNoneTest', { username }) : say('moneyNoneLead', { username })}</p></div>`;
}

/** What the user owes, because a network took money back that was already spent. */
function debtPart(context: PageContext, { asset, available }: Balance): Html {
  const { say, site } = context;
  return html`<div class="notice bad"><p><strong>${say('owed', { amount: amountOf(context, asset, -available) })}</strong> · <bdi>${site.assets.get(asset).network}</bdi></p><p>${say('owedLead')}</p></div>`;
}
