import { type Html, html } from '../../kit/http/html.ts';
import type { EvmTarget } from '../../rails/rail.ts';
import type { CheckoutPayment, PaymentMethod } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { disclosure, postForm } from './form.ts';

/** The ways to pay as a list. The current choice is selected, else the first that can be chosen. */
export function methodForm(context: PageContext, button: 'primary' | 'plain'): Html {
  const { t, view } = context;
  const chosen = view.method ?? view.methods.find((each) => isChoosable(view, each))?.method;
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

/** Whether there is a way to pay that can be chosen now. */
export const isPayable = (view: CheckoutPayment): boolean =>
  view.methods.some((each) => isChoosable(view, each));

/** Of a priced payment: what each way to pay costs in its currency. A wallet pays in each of them. */
function choicesOf({ choices }: CheckoutPayment, { method }: PaymentMethod): CheckoutPayment['choices'] {
  if (method !== 'wallet') return choices.filter(({ asset }) => asset === method);
  return choices.filter(
    ({ currency }, index) => choices.findIndex((each) => each.currency === currency) === index,
  );
}

/** A priced payment has no way to pay by a currency without a rate. */
function isChoosable(view: CheckoutPayment, method: PaymentMethod): boolean {
  const choices = choicesOf(view, method);
  return choices.length === 0 || choices.some(({ amount }) => amount !== null);
}

function methodOption(context: PageContext, method: PaymentMethod, checked: boolean): Html {
  const { t, view } = context;
  const { method: name, network, isTest, evm } = method;
  const id = `method-${name}`;
  const isWallet = name === 'wallet';
  const isOff = !isChoosable(view, method);
  return html`<div class="method"><input type="radio" name="asset" id="${id}" value="${name}" required ${checked && html`checked`} ${isOff && html`disabled`}><label for="${id}"><span class="method-name">${isWallet ? t('methodWallet', { wallet: view.wallet.name }) : html`<bdi>${network}</bdi>`}</span> <span class="method-side">${isWallet ? t('methodWalletHint') : sideOf(context, method)}</span>${isOff && html` <span class="method-note">${t('methodNoRate')}</span>`}${isTest && html` <span class="method-note">${t('testNetwork')}</span>`}${evm && methodNote(context, evm)}</label></div>${isWallet && walletCurrency(context, method)}`;
}

/** The currency; of a priced payment what to send: `49.90 EUR = 53.22 USDC`, or what to send alone where a fee is in it. */
function sideOf({ view, format, asked }: PageContext, method: PaymentMethod): Html {
  const [choice] = choicesOf(view, method);
  if (!view.price || !choice?.amount) return html`<bdi>${choice?.currency ?? view.currency}</bdi>`;
  const sum = format.amount(choice.amount, choice.currency);
  return html`<bdi dir="ltr">${view.feePayer === 'merchant' && `${asked(view.price.amount)} = `}<strong>${sum}</strong></bdi>`;
}

/** What a wallet pays a priced payment in: the form sends it with every choice, and it counts for the wallet alone. */
function walletCurrency({ t, view, format }: PageContext, method: PaymentMethod): Html | null {
  const choices = choicesOf(view, method).filter(({ amount }) => amount !== null);
  const [first, ...others] = choices;
  if (!first) return null;
  if (others.length === 0) return html`<input type="hidden" name="currency" value="${first.currency}">`;
  return html`<div class="field wallet-currency"><label for="wallet-currency">${t('walletCurrency')}</label><select id="wallet-currency" name="currency">${choices.map(
    ({ currency, amount }) =>
      html`<option value="${currency}" ${currency === view.currency && html`selected`}>${format.amount(amount ?? '', currency)}</option>`,
  )}</select></div>`;
}

/** How long a network takes to confirm, and in which coin its fee is paid. */
function methodNote({ t, format }: PageContext, evm: EvmTarget): Html {
  const time = format.duration(evm.confirmations * evm.blockSeconds);
  return html` <span class="method-note">${t('confirmsIn', { time })} · ${t('feeIn', { symbol: evm.nativeSymbol })}</span>`;
}
