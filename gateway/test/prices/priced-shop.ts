import type { Payment } from '../../src/payments/payment/payment.ts';
import type { Shop } from '../support/payment-fixtures.ts';

/** A payment of a price, 12.50 in every currency at the test rates. */
export function askPrice(shop: Shop, fields: Record<string, unknown> = {}): Promise<Payment> {
  const price = { amount: 10, currency: 'EUR' };
  return shop.create({ amount: undefined, currency: undefined, price, ...fields });
}

/** Sets what a coin is worth in EUR in test mode. */
export async function setEuroRate({ db, owner }: Shop, currency: string, rate: string): Promise<void> {
  await db.query(
    `INSERT INTO test_rates VALUES ($1, $2, 'EUR', $3)
     ON CONFLICT (integration_id, currency, price_currency) DO UPDATE SET rate = excluded.rate`,
    [owner.integrationId, currency, rate],
  );
}
