import { addressText } from '../../checkout/parts/copy.ts';
import { type Fact, facts } from '../../checkout/parts/details.ts';
import { type Html, html } from '../../kit/http/html.ts';
import type { Payout } from '../../payouts/payout/payout.ts';
import type { Deposit } from '../../wallets/deposits/deposits.ts';
import { linkTo, type PageContext, type View } from '../context.ts';
import { lineNote, lineWords } from '../line-words.ts';
import type { WalletLine } from '../lines.ts';
import { balanceAfter, signedAmount } from './lines.ts';
import { type TransactionUrl, transactionPart, withdrawalFacts, withdrawalStatus } from './withdrawals.ts';

/** A line with what came from a network or left for one, where it has such a cause. */
export type EntryFacts = { line: WalletLine; deposit: Deposit | null; payout: Payout | null };

/** One movement of a wallet. */
export function entryView(context: PageContext, given: EntryFacts, transactionUrl: TransactionUrl): View {
  const { say, site } = context;
  const { line, deposit, payout } = given;
  const { asset, units, balance } = line;
  const title = lineWords(say, line, site.assets.get(asset));
  const note = lineNote(say, line);
  const moved = deposit ?? payout;
  return {
    title,
    nav: 'history',
    main: html`<h1>${title}</h1>
<p class="entry-amount ${units > 0n && 'in'}">${signedAmount(context, line)}</p>
<p class="hint">${statusOf(context, given)}${balance !== null && html` · ${balanceAfter(context, asset, balance)}`}</p>
${note !== null && html`<p class="entry-note"><bdi>${typeof note === 'string' ? note : note.text}</bdi></p>`}
${facts(payout ? withdrawalFacts(context, payout) : lineFacts(context, line, deposit))}
${moved && transactionPart(context, moved, transactionUrl)}
<ul class="links"><li><a href="${linkTo(context, 'history')}">${say('back')}</a></li></ul>`,
  };
}

/** What has become of the money, in words. */
function statusOf(context: PageContext, { line, deposit, payout }: EntryFacts): Html {
  const { say, t } = context;
  if (payout) return withdrawalStatus(context, payout);
  if (deposit) return t(deposit.state === 'final' ? 'transferFinal' : 'transferGone');
  if (line.units > 0n) return t('received');
  return line.kind === 'sent' ? say('payoutSent') : t('amountPaid');
}

function lineFacts({ t, format, site }: PageContext, line: WalletLine, deposit: Deposit | null): Fact[] {
  const { asset, created_at: at } = line;
  return [
    [t('simulateWhen'), html`<time datetime="${at.toISOString()}">${format.time(at)}</time>`],
    [t('network'), html`<bdi>${site.assets.get(asset).network}</bdi>`],
    ...(deposit?.sender ? [[t('address'), addressText(deposit.sender)] as Fact] : []),
  ];
}
