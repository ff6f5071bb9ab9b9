import { type Html, html } from '../../kit/http/html.ts';
import type { Payout } from '../../payouts/payout/payout.ts';
import { linkTo, type PageContext, type View } from '../context.ts';
import { daysOf, monthLabel, monthsBetween, monthWords } from '../days.ts';
import type { WalletLine } from '../lines.ts';
import { button, getForm } from '../parts.ts';
import { daysPart } from './lines.ts';
import { onItsWayPart } from './withdrawals.ts';

/** What of the history is shown: one asset, one month such as `2026-11`; null: all. */
export type HistoryChoice = { asset: string | null; month: string | null };

export type HistoryFacts = {
  lines: readonly WalletLine[];
  /** The cursor of older lines; null: there are none. */
  older: string | null;
  isNewest: boolean;
  choice: HistoryChoice;
  /** The assets that the user has or had. */
  assets: readonly string[];
  /** Withdrawals that have not left yet. */
  pending: readonly Payout[];
};

/** The movements of a wallet by day, a page of them at a time. */
export function historyView(context: PageContext, facts: HistoryFacts): View {
  const { say } = context;
  const { lines, older, isNewest, choice, assets, pending } = facts;
  const query = queryOf(choice);
  const isAll = choice.asset === null && choice.month === null;
  const withBalance = choice.asset !== null || assets.length === 1;
  return {
    title: say('historyTitle'),
    nav: 'history',
    main: html`<h1>${say('historyTitle')}</h1>
${(!isAll || lines.length > 0) && filterPart(context, facts)}
${isNewest && isAll && onItsWayPart(context, pending)}
<div id="days">${lines.length === 0 ? html`<div class="empty"><p>${say(isAll ? 'historyNone' : 'historyNoneHere')}</p></div>` : daysPart(context, daysOf(lines), { heading: 'h2', withBalance })}</div>
${older !== null && html`<p class="older"><a class="button plain" href="${linkTo(context, 'history', { ...query, before: older })}" rel="next" data-older>${say('historyOlder')}</a></p>`}
<ul class="links">${!isNewest && html`<li><a href="${linkTo(context, 'history', query)}">${say('historyNewest')}</a></li>`}${lines.length > 0 && html`<li><a href="${linkTo(context, 'history.csv', query)}" download>${say('historyCsv')}</a></li>`}</ul>`,
  };
}

function queryOf({ asset, month }: HistoryChoice): Record<string, string> {
  return { ...(asset === null ? {} : { asset }), ...(month === null ? {} : { month }) };
}

function filterPart(context: PageContext, { choice, assets }: HistoryFacts): Html | null {
  const { say, locale, site, session, now } = context;
  const months = monthsBetween(session?.user.since ?? now, now);
  const codes = assets.map((code): [string, string] => {
    const { currency, network } = site.assets.get(code);
    return [code, `${currency} · ${network}`];
  });
  const named = months.map((month): [string, string] => [month, monthWords(locale, month)]);
  if (codes.length < 2 && named.length < 2) return null;
  return getForm(
    context,
    'history',
    html`${codes.length > 1 && choicePart(context, { name: 'asset', label: say('coin').text, chosen: choice.asset }, codes)}${named.length > 1 && choicePart(context, { name: 'month', label: monthLabel(locale), chosen: choice.month }, named)}${button(say('historyShow'), 'plain')}`,
    'filters',
  );
}

function choicePart(
  { say }: PageContext,
  { name, label, chosen }: { name: string; label: string; chosen: string | null },
  choices: readonly [value: string, words: string][],
): Html {
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}"><option value="">${say('historyEverything')}</option>${choices.map(
    ([value, words]) =>
      html`<option value="${value}" ${value === chosen && html`selected`}>${words}</option>`,
  )}</select></div>`;
}
