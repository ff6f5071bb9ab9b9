import type { CheckoutPayment } from '../../checkout/checkout-payment.ts';
import { isZero } from '../../checkout/format.ts';
import { facts } from '../../checkout/parts/details.ts';
import { html } from '../../kit/http/html.ts';
import type { Balance } from '../../ledger/ledger.ts';
import { amountOf, linkTo, type PageContext, type View } from '../context.ts';
import { button, codeField, hidden, postForm } from '../parts.ts';

export type PayFacts = {
  payment: CheckoutPayment;
  balances: readonly Balance[];
  /** The hosted page of the payment. */
  url: string;
  isPayable: boolean;
  needsCode: boolean;
};

/** The amount of a payment and the button that pays it; after that a link to the payment's page. */
export function payView(context: PageContext, given: PayFacts): View {
  const { say, t, format, site } = context;
  const { payment, balances, url, isPayable, needsCode } = given;
  const { integration, currency, reference, token } = payment;
  const merchant = integration.name;
  const isAllThere = isZero(payment.amountMissing);
  const amount = format.amount(isAllThere ? payment.amountDue : payment.amountMissing, currency);
  const isPaid = payment.status === 'completed';
  const own = balances.filter(
    ({ asset, available }) => available > 0n && site.assets.get(asset).currency === currency,
  );
  const title = isPaid ? say('linePaid', { merchant }) : say('payTitle', { amount, merchant });
  const named = { reference, app: integration.id, token };
  const form = postForm(
    context,
    'pay',
    html`${Object.entries(named).map(([name, value]) => hidden(name, value))}${needsCode && codeField(say('code'))}${button(t('payNow', { amount }))}`,
    'pay',
  );
  return {
    title,
    nav: 'home',
    mode: payment.mode,
    main: html`<h1>${title}</h1>${facts([
      [
        t('paidTo'),
        html`<bdi>${merchant}</bdi>${integration.domain !== null && html` <bdi dir="ltr">(${integration.domain})</bdi>`}`,
      ],
      [t('total'), html`<strong><bdi dir="ltr">${format.amount(payment.amountDue, currency)}</bdi></strong>`],
      [t('reference'), html`<bdi dir="ltr">${reference}</bdi>`],
      ...own.map(({ asset, available }): [typeof title, typeof title] => [
        say('payBalance', { network: site.assets.get(asset).network }),
        html`<bdi dir="ltr">${amountOf(context, asset, available)}</bdi>` as typeof title,
      ]),
    ])}
${isPayable && !isAllThere && form}
<ul class="links"><li><a href="${url}">${say('payPage')}</a></li><li><a href="${linkTo(context, '')}">${say('moneyTitle')}</a></li></ul>`,
  };
}
