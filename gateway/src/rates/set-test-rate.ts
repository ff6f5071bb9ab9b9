import type { IntegrationId } from '../identity/integration.ts';
import type { Tx } from '../kit/db/db.ts';
import type { Currency } from '../money/assets.ts';
import type { PriceCurrency } from '../money/price-currencies.ts';
import { noteTestRate } from './history.ts';

/** Replaces the test rate of a pair for one integration; null: the built-in one holds again. Its history notes it. */
export async function setTestRate(
  tx: Tx,
  integrationId: IntegrationId,
  testRate: { currency: Currency; priceCurrency: PriceCurrency; rate: string | null },
  now: Date,
): Promise<void> {
  const { currency, priceCurrency, rate } = testRate;
  const pair = [integrationId, currency, priceCurrency];
  await noteTestRate(tx, integrationId, testRate, now);
  if (rate === null) {
    await tx.query(
      'DELETE FROM test_rates WHERE integration_id = $1 AND currency = $2 AND price_currency = $3',
      pair,
    );
    return;
  }
  await tx.query(
    `INSERT INTO test_rates (integration_id, currency, price_currency, rate) VALUES ($1, $2, $3, $4)
     ON CONFLICT (integration_id, currency, price_currency) DO UPDATE SET rate = excluded.rate`,
    [...pair, rate],
  );
}
