import type { IntegrationId } from '../identity/integration.ts';
import type { Tx } from '../kit/db/db.ts';
import type { Currency } from '../money/assets.ts';
import type { PriceCurrency } from '../money/price-currencies.ts';

/** Replaces the test rate of a pair for one integration; null: the built-in one holds again. */
export async function setTestRate(
  tx: Tx,
  integrationId: IntegrationId,
  {
    currency,
    priceCurrency,
    rate,
  }: { currency: Currency; priceCurrency: PriceCurrency; rate: string | null },
): Promise<void> {
  const pair = [integrationId, currency, priceCurrency];
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
