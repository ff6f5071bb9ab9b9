import { refuse } from '../../kit/errors.ts';
import type { Currency } from '../../money/assets.ts';
import { paymentErrors } from '../payment/errors.ts';
import { quotesNow } from '../prices/choices.ts';
import { noRate } from '../prices/no-rate.ts';
import type { Quote } from '../prices/quote.ts';
import type { Changes } from './changes.ts';
import { chargedBy, isFixed } from './fix-currency.ts';

/**
 * Chooses in what a priced payment is paid. The first choice of a currency makes its quote; a later one finds it. Throws `not_possible` once money has fixed the currency, and `no_rate`.
 */
export async function chooseCurrency(changes: Changes, id: string, currency: Currency): Promise<void> {
  const payment = changes.payment(id);
  if (isFixed(changes, id)) throw refuse(paymentErrors.not_possible, { status: payment.status });
  const known = changes.quotesOf(id).find((quote) => quote.currency === currency);
  changes.changePayment(chargedBy(payment, known ?? (await makeQuote(changes, id, currency))));
}

async function makeQuote(changes: Changes, id: string, currency: Currency): Promise<Quote> {
  const { tx, deps } = changes;
  const payment = changes.payment(id);
  if (payment.price === null) throw new Error(`Payment ${id} has no price`);
  const [quote] = await quotesNow(tx, payment, [currency], deps.now());
  if (!quote) throw noRate(payment.price.currency, currency);
  changes.addQuote({ paymentId: id, quote });
  return quote;
}
