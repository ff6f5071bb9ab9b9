import type { Change } from '../identity/audit/audit-log.ts';
import { after } from '../kit/clock.ts';
import type { Tx } from '../kit/db/db.ts';
import type { Currency } from '../money/assets.ts';
import type { PriceCurrency } from '../money/price-currencies.ts';

/** How long a typed rate may hold. */
export const mostDays = 30;
const daySeconds = 24 * 3600;

export type TypedRate = { rate: string; at: Date; endsAt: Date };
type Pair = { currency: Currency; priceCurrency: PriceCurrency };

/** Writes a rate that replaces all sources of its pair for some days, or takes it back. Returns both, and the change. */
export async function typeRate(
  tx: Tx,
  { currency, priceCurrency }: Pair,
  typed: { rate: string; days: number } | null,
  now: Date,
): Promise<{ before: TypedRate | null; after: TypedRate | null; change: Change | null }> {
  const pair = [currency, priceCurrency];
  const { rows } = await tx.query<TypedRate>(
    `SELECT rate, typed_at AS at, ends_at AS "endsAt" FROM typed_rates
     WHERE currency = $1 AND price_currency = $2 FOR UPDATE`,
    pair,
  );
  const before = rows[0] ?? null;
  const written = typed && { rate: typed.rate, at: now, endsAt: after(now, typed.days * daySeconds) };
  if (written === null) {
    await tx.query('DELETE FROM typed_rates WHERE currency = $1 AND price_currency = $2', pair);
  } else {
    await tx.query(
      `INSERT INTO typed_rates (currency, price_currency, rate, typed_at, ends_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (currency, price_currency)
       DO UPDATE SET rate = excluded.rate, typed_at = excluded.typed_at, ends_at = excluded.ends_at`,
      [...pair, written.rate, written.at, written.endsAt],
    );
  }
  const change = {
    action: typed ? 'typed a rate' : 'took back a typed rate',
    subject: { kind: 'rate', id: `${currency}/${priceCurrency}` },
    before: before && { rate: before.rate, ends_at: before.endsAt.toISOString() },
    after: typed && { rate: typed.rate, days: typed.days },
  };
  return { before, after: written, change: before === null && typed === null ? null : change };
}
