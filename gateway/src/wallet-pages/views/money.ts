import { type Html, html } from '../../kit/http/html.ts';
import type { Balance } from '../../ledger/ledger.ts';
import { amountOf, linkTo, type PageContext, type View } from '../context.ts';
import { lineNote, lineWords } from '../line-words.ts';
import type { WalletLine } from '../lines.ts';
import { section } from '../parts.ts';
import { movesPart } from './moving.ts';

/** The first page after the sign-in: the balances and the newest lines. */
export function moneyView(
  context: PageContext,
  given: { balances: readonly Balance[]; debts: readonly Balance[]; lines: readonly WalletLine[] },
): View {
  const { say, mode, session } = context;
  const { balances, debts, lines } = given;
  return {
    title: say('moneyTitle'),
    nav: 'home',
    main: html`<h1>${say('moneyTitle')}</h1>
${session?.user.isFrozen && html`<p class="notice bad">${say('faultFrozen')}</p>`}
${debts.filter(({ available }) => available < 0n).map((debt) => debtPart(context, debt))}
${balancesPart(context, balances)}
${movesPart(context)}
${protectPart(context)}
${lines.length > 0 && section('latest', say('latest'), html`${linesPart(context, lines)}<p class="more"><a href="${linkTo(context, 'history')}">${say('historyAll')}</a></p>`)}
<p class="more"><a href="${linkTo({ ...context, mode: mode === 'test' ? 'live' : 'test' }, '')}">${say(mode === 'test' ? 'showLive' : 'showTest')}</a></p>`,
  };
}

function balancesPart(context: PageContext, balances: readonly Balance[]): Html {
  const { say, mode, session, site } = context;
  const shown = balances.filter(({ available, held }) => available !== 0n || held !== 0n);
  const username = session?.user.username ?? '';
  if (shown.length === 0) {
    return html`<div class="empty"><p><strong>${say('moneyNone')}</strong></p><p>${mode === 'test' ? say('moneyNoneTest', { username }) : say('moneyNoneLead', { username })}</p></div>`;
  }
  return html`<ul class="balances">${shown.map(
    ({ asset, available, held }) =>
      html`<li><span class="balance-network"><bdi>${site.assets.get(asset).network}</bdi></span><span class="balance-amount"><bdi dir="ltr">${amountOf(context, asset, available + held)}</bdi></span>${held > 0n && html`<span class="balance-held">${say('held', { amount: amountOf(context, asset, held) })}</span>`}</li>`,
  )}</ul>`;
}

/** What the user owes, because a network took money back that was already spent. */
function debtPart(context: PageContext, { asset, available }: Balance): Html {
  const { say, site } = context;
  return html`<div class="notice bad"><p><strong>${say('owed', { amount: amountOf(context, asset, -available) })}</strong> · <bdi>${site.assets.get(asset).network}</bdi></p><p>${say('owedLead')}</p></div>`;
}

/** Advice for a user who could not sign in again after forgetting the password. */
function protectPart(context: PageContext): Html | null {
  const { say, session } = context;
  if (!session || session.user.emailConfirmed || session.user.hasRecoveryCodes) return null;
  return html`<div class="panel protect"><p><strong>${say('protectTitle')}</strong></p><p>${say('protectLead')}</p><p><a class="button plain" href="${linkTo(context, 'account')}#recovery">${say('protectButton')}</a></p></div>`;
}

/** All lines, a page at a time. */
export function historyView(
  context: PageContext,
  { lines, older, isNewest }: { lines: readonly WalletLine[]; older: string | null; isNewest: boolean },
): View {
  const { say } = context;
  const list =
    lines.length === 0
      ? html`<div class="empty"><p>${say('historyNone')}</p></div>`
      : linesPart(context, lines);
  return {
    title: say('historyTitle'),
    nav: 'history',
    main: html`<h1>${say('historyTitle')}</h1>
${list}
<ul class="links">${!isNewest && html`<li><a href="${linkTo(context, 'history')}">${say('historyNewest')}</a></li>`}${older !== null && html`<li><a href="${linkTo(context, 'history', { before: older })}" rel="next">${say('historyOlder')}</a></li>`}${lines.length > 0 && html`<li><a href="${linkTo(context, 'history.csv')}" download>${say('historyCsv')}</a></li>`}</ul>`,
  };
}

function linesPart(context: PageContext, lines: readonly WalletLine[]): Html {
  return html`<ol class="lines">${lines.map((line) => linePart(context, line))}</ol>`;
}

function linePart(context: PageContext, line: WalletLine): Html {
  const { say, format, now, site } = context;
  const { asset, units, balance, created_at: at } = line;
  const note = lineNote(say, line);
  const sign = units > 0n ? '+' : '\u2212';
  const amount = amountOf(context, asset, units > 0n ? units : -units);
  return html`<li><span class="line-words">${lineWords(say, line, site.assets.get(asset))}${note !== null && html`<span class="line-note"><bdi>${typeof note === 'string' ? note : note.text}</bdi></span>`}</span><span class="line-amount ${units > 0n ? 'in' : 'out'}"><bdi dir="ltr">${sign}${amount}</bdi></span><span class="line-side"><time datetime="${at.toISOString()}">${format.time(at, now)}</time></span>${balance !== null && html`<span class="line-side end">${say('balanceAfter', { amount: amountOf(context, asset, balance) })}</span>`}</li>`;
}
