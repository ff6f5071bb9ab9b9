import type { Clock } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import { unitsOfAmount } from '../../ledger/amount.ts';
import { type Asset, type Assets, fineScale } from '../../money/assets.ts';
import { rescale } from '../../money/money.ts';
import { minorDigits } from '../../money/price-currencies.ts';
import { worthAt } from '../../money/rate-units.ts';
import type { InvoicedPayment } from '../../payments/payment/invoice.ts';
import type { Payment } from '../../payments/payment/payment.ts';
import { unitsOfPrice } from '../../payments/prices/quote.ts';
import { chosenAsset, type WantedRefund } from '../../payments/refunds/order.ts';
import { type Refundable, refundableOf, totalOf } from '../../payments/refunds/refundable.ts';
import { readRates } from '../../rates/read-rates.ts';
import { objectOf } from '../protocol/objects.ts';
import { unprocessable } from '../protocol/problems.ts';
import { assetOfMethod } from '../stores/methods.ts';

type Deps = { assets: Assets; now: Clock };

type Refunded = { payment: Payment; asset: Asset; refundable: Refundable };

const maxText = 500;

/** Reads a refund of an invoice as an order of a refund; `name` is how that API calls it. Throws 422. */
export async function readRefund(
  reader: Reader,
  deps: Deps,
  { payment, invoice }: InvoicedPayment,
  body: unknown,
): Promise<{ wanted: WantedRefund; name: string }> {
  const fields = objectOf(body, '');
  const method = fields.paymentMethod ?? fields.payoutMethodId;
  const named = typeof method === 'string' ? assetOfMethod(deps.assets, payment.mode, method) : undefined;
  if (method !== undefined && method !== null && !named)
    throw unprocessable('paymentMethod', 'Name one of the payment methods of the invoice');
  const code = await chosenAsset(reader, deps.assets, payment, named?.code ?? null);
  const asset = deps.assets.get(code);
  const all = await refundableOf(reader, deps.assets, payment);
  const refundable = all.find((each) => each.asset === code);
  if (!refundable) throw new Error('What is refunded cannot be refunded');
  const units = await unitsOf(reader, deps, { payment, asset, refundable }, fields);
  const left = lessened(units, fields.subtractPercentage);
  if (left === 0n) throw unprocessable('subtractPercentage', 'Nothing is left to refund');
  const reason = textOf(fields.description, 'description') ?? textOf(fields.name, 'name');
  const wanted = { asset: code, units: left, destination: null, reason };
  return { wanted, name: textOf(fields.name, 'name') ?? refundName(invoice.id) };
}

export const refundName = (invoiceId: string): string => `Refund ${invoiceId}`;

function textOf(value: unknown, path: string): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || value.length > maxText)
    throw unprocessable(path, `Must be text of at most ${maxText} characters`);
  return value;
}

/** How much is refunded, in units of the asset. */
async function unitsOf(
  reader: Reader,
  deps: Deps,
  refunded: Refunded,
  { refundVariant, customAmount, customCurrency }: Record<string, unknown>,
): Promise<bigint> {
  const { refundable } = refunded;
  switch (refundVariant) {
    case 'RateThen':
      return totalOf(refundable);
    // What the customer gets is fixed when it is ordered, so both are at the rate of that moment.
    case 'CurrentRate':
    case 'Fiat':
      return await atCurrentRate(reader, deps, refunded);
    case 'OverpaidAmount':
      return overpaidUnits(refundable);
    case 'Custom':
      return customUnits(refunded, customAmount, customCurrency);
    default:
      throw unprocessable('refundVariant', 'Must be RateThen, CurrentRate, Fiat, OverpaidAmount or Custom');
  }
}

/** What came too much: owed by the gateway, and at the merchant's own address. */
function overpaidUnits({ overpayment, direct }: Refundable): bigint {
  const units = overpayment + direct.overpayment;
  if (units === 0n) throw unprocessable('refundVariant', 'The invoice is not overpaid');
  return units;
}

/** What was paid, in the money of the invoice, at the rate of now; an invoice without a price has the same money. */
async function atCurrentRate(
  reader: Reader,
  { now }: Deps,
  { payment, asset, refundable }: Refunded,
): Promise<bigint> {
  const { price, rate, currency, integrationId, mode } = payment;
  const total = totalOf(refundable);
  if (price === null || rate === null || asset.currency !== currency) return total;
  const wanted = { integrationId, mode, currency: asset.currency, priceCurrency: price.currency };
  const [current] = await readRates(reader, [wanted], now());
  if (!current) throw unprocessable('refundVariant', 'There is no rate now');
  const amount = worthAt(
    rescale(total, asset.scale, fineScale),
    fineScale,
    rate,
    minorDigits(price.currency),
  );
  return unitsOfPrice({ amount, currency: price.currency }, current.units, asset.scale);
}

/** An amount of the coin that is refunded, or of the invoice's own money at the rate of its payment. */
function customUnits({ payment, asset }: Refunded, amount: unknown, currency: unknown): bigint {
  const code = typeof currency === 'string' ? currency.toUpperCase() : '';
  if (code === asset.currency) return positive(amount, asset.scale);
  const { price, rate } = payment;
  if (price === null || rate === null || code !== price.currency || asset.currency !== payment.currency)
    throw unprocessable(
      'customCurrency',
      `Must be ${[asset.currency, price?.currency ?? []].flat().join(' or ')}`,
    );
  const part = { amount: positive(amount, minorDigits(price.currency)), currency: price.currency };
  const units = unitsOfPrice(part, rate, asset.scale);
  if (units === 0n) throw unprocessable('customAmount', 'Is worth nothing in the coin that is refunded');
  return units;
}

function positive(amount: unknown, scale: number): bigint {
  const isDecimal = typeof amount === 'string' && /^\d+\.\d+$/.test(amount);
  const units = unitsOfAmount(isDecimal ? amount.replace(/\.?0+$/, '') : amount, scale);
  if (typeof units !== 'bigint')
    throw unprocessable('customAmount', `Must be a positive number with at most ${scale} decimals`);
  return units;
}

const hundred = 10_000n;

function lessened(units: bigint, percentage: unknown): bigint {
  if (percentage === undefined || percentage === null || percentage === '') return units;
  if (percentage === 0 || percentage === '0') return units;
  const hundredths = unitsOfAmount(percentage, 2);
  if (typeof hundredths !== 'bigint' || hundredths > hundred)
    throw unprocessable('subtractPercentage', 'Must be from 0 to 100, with at most two decimals');
  return (units * (hundred - hundredths)) / hundred;
}
