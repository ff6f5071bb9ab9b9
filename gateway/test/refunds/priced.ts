import { expect } from 'vitest';
import type { PriceCurrency } from '../../src/money/price-currencies.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import { refundReader } from '../../src/payments/refunds/schema.ts';
import { setTestRate } from '../../src/rates/set-test-rate.ts';
import { bought, rateDecimals, unitsAt } from '../schedules/price-model.ts';
import { type Shop, write } from '../support/payment-fixtures.ts';

// Payments of 10 USDC whose merchant asked for euros, and parts of their prices that are refunded.

/** A price that comes to 10 USDC at this rate. */
export type Asked = { price: string; rate: string };

export const asked: readonly Asked[] = [
  { price: '8', rate: '0.8' },
  { price: '9.37', rate: '0.937576601052' },
  { price: '3.33', rate: '0.333333333333' },
  { price: '1500', rate: '150' },
];

const currency = 'EUR' as PriceCurrency;

/** Makes such a payment. Afterwards nobody gets this rate any more. */
export async function createPriced(shop: Shop, { price: amount, rate }: Asked): Promise<Payment> {
  const set = (text: string) =>
    write(shop, (tx) => {
      const pair = { currency: 'USDC', priceCurrency: currency } as const;
      return setTestRate(tx, shop.owner.integrationId, { ...pair, rate: text }, shop.clock.now());
    });
  await set(rate);
  const payment = await shop.create({ amount: undefined, price: { amount, currency } });
  await set('7.7');
  expect(payment.amountDue).toBe(10_000_000n);
  return payment;
}

/** The units of a refund of so many cents of the price, as a request for it is read: what they buy at the quote's rate. */
export async function pricedUnits(
  { db, assets }: Shop,
  payment: Payment,
  { rate }: Asked,
  cents: number,
): Promise<bigint | null> {
  const read = refundReader(assets, () => () => null);
  const { units } = await read(db, payment, { price_amount: (cents / 100).toFixed(2) });
  const part = { minor: BigInt(cents), digits: 2, currency };
  expect(units).toBe(bought(part, unitsAt(rate, rateDecimals), 6));
  return units;
}
