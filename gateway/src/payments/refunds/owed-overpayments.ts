import type { Reader } from '../../kit/db/db.ts';
import { payableOf } from '../../ledger/totals.ts';

/** Units that are the customer's, in one asset of a payment. */
export type OwedUnits = { paymentId: string; asset: string; units: bigint };

/** What is owed to the customers of payments without a refund that carries it. */
export async function owedWithoutRefund(reader: Reader, paymentIds: readonly string[]): Promise<OwedUnits[]> {
  const booked = await payableOf(reader, paymentIds);
  const { rows } = await reader.query<OwedUnits>(
    `SELECT payment_id AS "paymentId", asset, sum(units) AS units FROM payment_refunds
     WHERE payment_id = ANY ($1) AND status NOT IN ('completed', 'cancelled') GROUP BY payment_id, asset`,
    [paymentIds],
  );
  const unsent = new Map(rows.map(({ paymentId, asset, units }) => [`${paymentId} ${asset}`, units]));
  return booked.flatMap(({ cause: paymentId, asset, units }) => {
    const left = units - (unsent.get(`${paymentId} ${asset}`) ?? 0n);
    return left > 0n ? [{ paymentId, asset, units: left }] : [];
  });
}
