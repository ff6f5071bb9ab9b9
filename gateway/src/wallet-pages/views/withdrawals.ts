import { addressText, code, copyButton } from '../../checkout/parts/copy.ts';
import { type Fact, facts } from '../../checkout/parts/details.ts';
import { type Html, html } from '../../kit/http/html.ts';
import type { Payout } from '../../payouts/payout/payout.ts';
import { amountOf, linkTo, type PageContext, type View } from '../context.ts';
import { hidden, postForm, section } from '../parts.ts';

/** Links to transactions in block explorers; null: there is none for this network. */
export type TransactionUrl = (rail: string, id: string) => string | null;

/** Withdrawals that have not left yet; they are not in the history before they have. */
export function onItsWayPart(context: PageContext, pending: readonly Payout[]): Html | null {
  const { say } = context;
  if (pending.length === 0) return null;
  return section(
    'on-its-way',
    say('onItsWay'),
    html`<ol class="lines">${pending.map((payout) => withdrawalLine(context, payout))}</ol>`,
  );
}

/** A withdrawal in a list: its status, where it goes and how much. */
export function withdrawalLine(context: PageContext, payout: Payout): Html {
  const { format, now } = context;
  const { id, asset, units, to, createdAt } = payout;
  return html`<li><a href="${linkTo(context, 'withdrawal', { id })}"><span class="line-words">${withdrawalStatus(context, payout)}<span class="line-note">${addressText(to)}</span></span><span class="line-amount"><bdi dir="ltr">${amountOf(context, asset, units)}</bdi></span><span class="line-side"><time datetime="${createdAt.toISOString()}">${format.time(createdAt, now)}</time></span></a></li>`;
}

/** The status of a withdrawal in words. */
export function withdrawalStatus({ say }: PageContext, { status }: Pick<Payout, 'status'>): Html {
  if (status === 'awaiting_approval') return say('payoutWaits');
  if (status === 'completed') return say('payoutSent');
  return isEnded(status) ? say('payoutEnded') : say('payoutSending');
}

const isEnded = (status: Payout['status']): boolean =>
  status === 'cancelled' || status === 'rejected' || status === 'failed';

/** Whether it has neither left nor ended. */
export const isPending = ({ status }: Payout): boolean => status !== 'completed' && !isEnded(status);

/** As far as the page knows: meanwhile its sending may have begun. */
const isCancellable = ({ status }: Payout): boolean => status === 'awaiting_approval' || status === 'queued';

/** One withdrawal: where it is, where it goes, what it costs, and its transaction. */
export function withdrawalView(context: PageContext, payout: Payout, transactionUrl: TransactionUrl): View {
  const { say, site } = context;
  const { asset, units } = payout;
  const amount = amountOf(context, asset, units);
  const { network } = site.assets.get(asset);
  const title = titleOf(context, payout, { amount, network });
  return {
    title,
    nav: 'history',
    main: html`<h1>${title}</h1>
<p class="entry-amount"><bdi dir="ltr">${amount}</bdi></p><p class="hint">${withdrawalStatus(context, payout)}</p>
${facts(withdrawalFacts(context, payout))}
${transactionPart(context, payout, transactionUrl)}
${isCancellable(payout) && cancelPart(context, payout)}
<ul class="links"><li><a href="${linkTo(context, 'withdraw')}">${say('back')}</a></li></ul>`,
  };
}

function titleOf(
  { say }: PageContext,
  { status }: Payout,
  { amount, network }: { amount: string; network: string },
) {
  if (status === 'completed') return say('lineWithdrawn', { network });
  return isEnded(status) ? say('noticeEndedSubject', { amount }) : say('noticeOrderedSubject', { amount });
}

/** Where a withdrawal goes, and what it costs. */
export function withdrawalFacts(context: PageContext, payout: Payout): Fact[] {
  const { say, t, format, site } = context;
  const { asset, units, fee, to, memo, createdAt } = payout;
  const amountIn = (each: bigint) => html`<bdi dir="ltr">${amountOf(context, asset, each)}</bdi>`;
  return [
    [t('simulateWhen'), html`<time datetime="${createdAt.toISOString()}">${format.time(createdAt)}</time>`],
    [t('network'), html`<bdi>${site.assets.get(asset).network}</bdi>`],
    [t('address'), addressText(to)],
    ...(memo === null ? [] : [[t('memo'), code(memo)] as Fact]),
    [say('amount'), amountIn(units)],
    [say('withdrawFee'), amountIn(fee)],
    [say('withdrawTotal'), amountIn(units + fee)],
  ];
}

/** The hash of a transaction, to be copied and looked up; null: there is none yet. */
export function transactionPart(
  context: PageContext,
  { rail, transaction }: { rail: string; transaction: string | null },
  transactionUrl: TransactionUrl,
): Html | null {
  const { t } = context;
  if (transaction === null) return null;
  const url = transactionUrl(rail, transaction);
  return html`<dl class="rows"><div><dt>${t('transaction')}</dt><dd>${code(transaction)}${copyButton(context, 'transaction', transaction)}</dd></div></dl>${url !== null && html`<p class="more"><a href="${url}" rel="noreferrer">${t('showTransaction')}</a></p>`}`;
}

function cancelPart(context: PageContext, { id }: Payout): Html {
  const { say } = context;
  return postForm(
    context,
    'withdraw/cancel',
    html`${hidden('id', id)}<button class="button plain">${say('withdrawCancel')}</button>`,
  );
}
