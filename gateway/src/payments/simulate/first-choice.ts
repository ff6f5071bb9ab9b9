import type { Reader } from '../../kit/db/db.ts';
import type { Assets, Currency } from '../../money/assets.ts';
import { type ChargedPayment, chargedOf, isCharged, type Payment } from '../payment/payment.ts';
import { quotesNow } from '../prices/choices.ts';
import { noRate } from '../prices/no-rate.ts';
import { link } from '../settlement/act.ts';
import type { Changes } from '../settlement/changes.ts';
import { chargedBy } from '../settlement/fix-currency.ts';

// What is simulated for an open payment begins with its customer's choice: the first currency that the merchant named,
// USDC where none was (contract.md#prices).

/** The payment as it would be after that choice; as it is where it has a currency. Throws `no_rate`. */
export async function withFirstChoice(
  reader: Reader,
  assets: Assets,
  payment: Payment,
  now: Date,
): Promise<ChargedPayment> {
  if (isCharged(payment)) return payment;
  const [currency] = payment.choices ?? [];
  if (currency === undefined || payment.price === null) throw new Error('An open payment has choices');
  const [quote] = await quotesNow(reader, payment, [currency], now);
  if (!quote) throw noRate(payment.price.currency, currency);
  return chargedOf({ ...chargedBy(payment, quote), method: firstAsset(assets, payment, currency) });
}

/** Makes that choice for an open payment. Throws `not_possible` in a status that takes none. */
export async function chooseFirst(changes: Changes, paymentId: string): Promise<void> {
  const payment = changes.payment(paymentId);
  const [currency] = payment.choices ?? [];
  if (isCharged(payment) || currency === undefined) return;
  await link(changes, paymentId, { method: firstAsset(changes.deps.assets, payment, currency) });
}

/** The first asset of the currency that the merchant named, else its default. */
function firstAsset(assets: Assets, { assetCodes, mode }: Payment, currency: Currency): string {
  const own = assets.of(mode).ofCurrency(currency);
  const named = (assetCodes ?? []).flatMap((code) => own.find((asset) => asset.code === code) ?? []);
  return (named.find(({ isTest }) => !isTest) ?? assets.defaultOf(currency)).code;
}
