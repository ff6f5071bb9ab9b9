import { type Html, html } from '../../kit/http/html.ts';
import type { EvmTarget } from '../../rails/rail.ts';
import type { PaymentMethod } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { disclosure, postForm } from './form.ts';

/** The ways to pay as a list. The current choice is selected, else the first. */
export function methodForm(context: PageContext, button: 'primary' | 'plain'): Html {
  const { t, view } = context;
  const chosen = view.method ?? view.methods[0]?.method;
  return postForm(
    context,
    'method',
    html`<fieldset class="methods"><legend class="visually-hidden">${t('waitingTitle')}</legend>${view.methods.map(
      (method) => methodOption(context, method, method.method === chosen),
    )}</fieldset><button class="button ${button}" id="continue">${t('continue')}</button>`,
  );
}

/** The list again, to choose another way until money is seen (contract.md#states). */
export function otherMethodsPart(context: PageContext): Html | null {
  if (context.view.methods.length < 2) return null;
  return disclosure('other-methods', context.t('payAnotherWay'), methodForm(context, 'plain'));
}

function methodOption(
  context: PageContext,
  { method, network, isTest, evm }: PaymentMethod,
  checked: boolean,
): Html {
  const { t, view } = context;
  const id = `method-${method}`;
  const wallet = method === 'wallet';
  return html`<div class="method"><input type="radio" name="asset" id="${id}" value="${method}" required ${checked && html`checked`}><label for="${id}"><span class="method-name">${wallet ? t('methodWallet', { wallet: view.wallet.name }) : html`<bdi>${network}</bdi>`}</span> <span class="method-side">${wallet ? t('methodWalletHint') : html`<bdi>${view.currency}</bdi>`}</span>${isTest && html` <span class="method-note">${t('testNetwork')}</span>`}${evm && methodNote(context, evm)}</label></div>`;
}

/** How long a network takes to confirm, and in which coin its fee is paid. */
function methodNote({ t, format }: PageContext, evm: EvmTarget): Html {
  const time = format.duration(evm.confirmations * evm.blockSeconds);
  return html` <span class="method-note">${t('confirmsIn', { time })} · ${t('feeIn', { symbol: evm.nativeSymbol })}</span>`;
}
