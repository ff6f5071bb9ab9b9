import { type Html, html } from '../../kit/http/html.ts';
import type { EvmTarget } from '../../rails/rail.ts';
import type { CheckoutPayment, PaymentMethod } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import type { Translate } from '../messages/translate.ts';
import { disclosure, postForm } from './form.ts';

/**
 * The ways to pay as a list: of a price a line for each coin, with its networks below the one that is chosen. The current
 * choice is selected, else the first that can be chosen.
 */
export function methodForm(context: PageContext, button: 'primary' | 'plain'): Html {
  const { t, view } = context;
  const isByCoin = new Set(view.choices.map(({ currency }) => currency)).size > 1;
  const lines = isByCoin
    ? coinsOf(view).map((coin) => coinPart(context, coin))
    : view.methods.map((method) => methodOption(context, method));
  return postForm(
    context,
    'method',
    html`<fieldset class="methods${isByCoin && html` coins`}"><legend class="visually-hidden">${t('waitingTitle')}</legend>${lines}</fieldset><button class="button ${button}" id="continue">${t('continue')}</button>`,
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

/** A coin with its networks; `currency` is null for a wallet. The test networks of a coin are a line of their own. */
type Coin = { currency: string | null; methods: [PaymentMethod, ...PaymentMethod[]] };

/** The ways to pay by coin, in the order in which the first of each is offered. */
function coinsOf(view: CheckoutPayment): Coin[] {
  const coins = new Map<string, Coin>();
  for (const method of view.methods) {
    const isWallet = method.method === 'wallet';
    const currency = isWallet ? null : (choicesOf(view, method)[0]?.currency ?? view.currency);
    const key = `${currency} ${method.isTest ?? false}`;
    const known = coins.get(key);
    if (known) known.methods.push(method);
    else coins.set(key, { currency, methods: [method] });
  }
  return [...coins.values()];
}

/**
 * The line of a coin, and its networks. The line is a label of the first network: pressing it chooses that one, and the
 * style sheet shows the others then.
 */
function coinPart(context: PageContext, { currency, methods }: Coin): Html {
  const { t, view } = context;
  const [first] = methods;
  if (currency === null) return methodOption(context, first);
  const isOff = !methods.some((method) => isChoosable(view, method));
  const id = `coin-${first.method}`;
  return html`<div class="coin" role="group" aria-labelledby="${id}"><label class="coin-line" id="${id}" for="method-${first.method}"><span class="method-name"><bdi>${currency}</bdi></span>${isOff ? noRateNote(t) : html` <span class="method-side">${sideOf(context, first)}</span>`}${first.isTest && testNote(t)}</label><div class="networks">${methods.map(
    (method) => networkOption(context, method),
  )}</div></div>`;
}

/** A network of a coin, whose line says the rest. */
function networkOption(context: PageContext, method: PaymentMethod): Html {
  const { network, evm } = method;
  const id = `method-${method.method}`;
  const described = evm && html` aria-describedby="${id}-note"`;
  return html`<div class="method">${radio(context.view, method, described)}<label for="${id}"><span class="method-name"><bdi>${network}</bdi></span></label></div>${evm && html`<p class="method-note" id="${id}-note">${networkNote(context, evm)}</p>`}`;
}

function methodOption(context: PageContext, method: PaymentMethod): Html {
  const { t, view } = context;
  const { method: name, network, isTest, evm } = method;
  const id = `method-${name}`;
  const isWallet = name === 'wallet';
  return html`<div class="method">${radio(view, method)}<label for="${id}"><span class="method-name">${isWallet ? t('methodWallet', { wallet: view.wallet.name }) : html`<bdi>${network}</bdi>`}</span> <span class="method-side">${isWallet ? t('methodWalletHint') : sideOf(context, method)}</span>${!isChoosable(view, method) && noRateNote(t)}${isTest && testNote(t)}${evm && note(networkNote(context, evm))}</label></div>${isWallet && walletCurrency(context, method)}`;
}

function radio(view: CheckoutPayment, method: PaymentMethod, attributes?: Html): Html {
  const chosen = view.method ?? view.methods.find((each) => isChoosable(view, each))?.method;
  return html`<input type="radio" name="asset" id="method-${method.method}" value="${method.method}" required${attributes} ${method.method === chosen && html`checked`} ${!isChoosable(view, method) && html`disabled`}>`;
}

const note = (text: Html): Html => html` <span class="method-note">${text}</span>`;
const noRateNote = (t: Translate): Html => note(t('methodNoRate'));
const testNote = (t: Translate): Html => note(t('testNetwork'));

/** The currency; of a priced payment what to send: `49.90 EUR = 53.22 USDC`, or what to send alone where more or less is in it. */
function sideOf({ view, format, asked }: PageContext, method: PaymentMethod): Html {
  const [choice] = choicesOf(view, method);
  if (!view.price || !choice?.amount) return html`<bdi>${choice?.currency ?? view.currency}</bdi>`;
  const sum = format.amount(choice.amount, choice.currency);
  const isPriceAlone = view.feePayer === 'merchant' && view.price.adjustment === 0;
  return html`<bdi dir="ltr">${isPriceAlone && `${asked(view.price.amount)} = `}<strong>${sum}</strong></bdi>`;
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
function networkNote({ t, format }: PageContext, evm: EvmTarget): Html {
  const time = format.duration(evm.confirmations * evm.blockSeconds);
  return html`${t('confirmsIn', { time })} · ${t('feeIn', { symbol: evm.nativeSymbol })}`;
}
