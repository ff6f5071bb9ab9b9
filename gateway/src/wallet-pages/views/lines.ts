import { type Html, html } from '../../kit/http/html.ts';
import { amountOf, linkTo, type PageContext } from '../context.ts';
import { type Day, dayWords } from '../days.ts';
import { lineNote, lineWords } from '../line-words.ts';
import type { WalletLine } from '../lines.ts';

/** How days are shown; `withBalance`: all lines are of one asset, so that the balance after each tells something. */
type Look = { heading: 'h2' | 'h3'; withBalance: boolean };

/** Lines by day, each a link to its own page. */
export function daysPart(context: PageContext, days: readonly Day<WalletLine>[], look: Look): Html[] {
  return days.map(({ day, rows }) => {
    const id = `day-${day}`;
    const words = html`<time datetime="${day}">${dayWords(context.locale, day, context.now)}</time>`;
    const heading =
      look.heading === 'h2' ? html`<h2 id="${id}">${words}</h2>` : html`<h3 id="${id}">${words}</h3>`;
    return html`<section class="day" data-day="${day}" aria-labelledby="${id}">${heading}<ol class="lines">${rows.map((line) => linePart(context, line, look.withBalance))}</ol></section>`;
  });
}

/** An amount with its sign. */
export function signedAmount(
  context: PageContext,
  { asset, units }: Pick<WalletLine, 'asset' | 'units'>,
): Html {
  const sign = units > 0n ? '+' : '\u2212';
  return html`<bdi dir="ltr">${sign}${amountOf(context, asset, units > 0n ? units : -units)}</bdi>`;
}

function linePart(context: PageContext, line: WalletLine, withBalance: boolean): Html {
  const { say, format, site } = context;
  const { seq, asset, units, balance, created_at: at } = line;
  const known = site.assets.get(asset);
  const note = lineNote(say, line);
  const after = withBalance && balance !== null && balanceAfter(context, asset, balance);
  return html`<li><a href="${linkTo(context, 'history/entry', { id: `${seq}` })}"><span class="line-words">${lineWords(say, line, known)}${note !== null && html`<span class="line-note"><bdi>${typeof note === 'string' ? note : note.text}</bdi></span>`}</span><span class="line-amount ${units > 0n ? 'in' : 'out'}">${signedAmount(context, line)}</span><span class="line-side"><time datetime="${at.toISOString()}">${format.time(at, at)}</time> · <bdi>${known.network}</bdi></span>${after && html`<span class="line-side end">${after}</span>`}</a></li>`;
}

export function balanceAfter(context: PageContext, asset: string, balance: bigint): Html {
  return context.say('balanceAfter', { amount: amountOf(context, asset, balance) });
}
