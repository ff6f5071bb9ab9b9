import { type Html, html } from '../../../src/kit/http/html.ts';
import type { Movement, SendForm, WalletProblem, WalletView } from './wallet.ts';

const problems: Record<WalletProblem, string> = {
  address: 'This is no address of a wallet: it begins with G or M, and every character counts.',
  amount: 'The amount must be more than zero, with at most 7 decimals.',
  memo: 'The memo is too long: 28 characters at most.',
  funds: 'The wallet does not hold that much.',
  no_account: 'There is no account at this address.',
  network: 'The network did not take the transaction.',
};

export type WalletPage = {
  wallet: WalletView;
  /** What the form shows. */
  form: SendForm;
  /** Names this sending, so that a form that is sent twice pays once. */
  order: string;
  /** The hash of what was just sent. */
  sent: string | null;
  problem: WalletProblem | null;
};

/** The whole page of the simulated wallet. */
export function renderWallet({ wallet, form, order, sent, problem }: WalletPage): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulated Pi wallet</title>
<link rel="stylesheet" href="/wallet/wallet.css">
<script src="/wallet/wallet.js" defer></script>
</head>
<body>
<header>Simulated Pi wallet. Its coins are worth nothing.</header>
<main>
<h1><span>Balance</span> <strong>${readable(wallet.balance)} π</strong></h1>
<p class="own"><code>${wallet.address}</code> ${copyButton(wallet.address, 'Copy address')}</p>
${sent === null ? null : sentPart(sent, wallet.movements)}
${problem === null ? null : html`<p class="problem" role="alert">Nothing was sent. ${problems[problem]}</p>`}
<form method="post" action="/wallet/send">
<h2>Send</h2>
<input type="hidden" name="order" value="${order}">
<label for="to">To</label>
<input id="to" name="to" required autocomplete="off" spellcheck="false" value="${form.to}">
<label for="amount">Amount in π</label>
<input id="amount" name="amount" required autocomplete="off" inputmode="decimal" value="${form.amount}">
<label for="memo">Memo</label>
<input id="memo" name="memo" autocomplete="off" spellcheck="false" value="${form.memo}" aria-describedby="memo-note">
<p id="memo-note">Shops find your payment by its memo. Leave it as the shop wrote it.</p>
<button class="send">Send</button>
</form>
<section aria-labelledby="history">
<h2 id="history">History</h2>
${wallet.movements.length === 0 ? html`<p>Nothing was sent or received yet.</p>` : html`<ul>${wallet.movements.map(movementPart)}</ul>`}
</section>
</main>
<p id="announcer" role="status"></p>
</body>
</html>`;
  return page.markup;
}

function sentPart(hash: string, movements: readonly Movement[]): Html {
  const movement = movements.find(({ transaction }) => transaction === hash);
  return html`<section class="sent" role="status">
<h2>Sent${movement ? ` ${readable(movement.amount)} π` : null}</h2>
<p>The shop's page shows it by itself. Where it asks for the transaction, this is it:</p>
<p class="own"><code>${hash}</code> ${copyButton(hash, 'Copy transaction')}</p>
</section>`;
}

function movementPart({ received, amount, other, memo, at, transaction }: Movement): Html {
  const words = received ? 'From' : 'To';
  return html`<li>
<span class="${received ? 'in' : 'out'}">${received ? '+' : '−'}${readable(amount)} π</span>
<time datetime="${at}">${at.replace('T', ' ').replace(/:\d\d(\.\d+)?Z$/, ' UTC')}</time>
<span class="other">${words} <code title="${other}">${other.slice(0, 6)}…${other.slice(-6)}</code>${memo === null ? ', no memo' : html`, memo <code>${memo}</code>`}</span>
${copyButton(transaction, 'Copy transaction')}
</li>`;
}

function copyButton(value: string, words: string): Html {
  return html`<button type="button" data-copy="${value}" hidden>${words}</button>`;
}

/** An amount in groups of thousands, without the zeros at its end. */
function readable(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  const rest = fraction.replace(/0+$/, '');
  return `${BigInt(whole).toLocaleString('en')}${rest === '' ? '' : `.${rest}`}`;
}
