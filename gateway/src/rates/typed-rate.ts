import type { Change } from '../identity/audit/audit-log.ts';
import { after } from '../kit/clock.ts';
import type { Tx } from '../kit/db/db.ts';
import type { Currency } from '../money/assets.ts';
import type { PriceCurrency } from '../money/price-currencies.ts';

/** How long a typed rate may hold. */
export const mostDays = 30;
const daySeconds = 24 * 3600;

type TypedRate = { rate: string; at: Date; endsAt: Date };
type Pair = { currency: Currency; priceCurrency: PriceCurrency };

/** Writes a rate that replaces all sources of its pair for some days, or takes it back. Returns it, and the change. */
export async function typeRate(
  tx: Tx,
  { currency, priceCurrency }: Pair,
  typed: { rate: string; days: number } | null,
  now: Date,
): Promise<{ after: TypedRate | null; change: Change | null }> {
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
  const id = `${currency}/${priceCurrency}`;
  const was = before && { rate: before.rate, ends_at: before.endsAt.toISOString() };
  if (typed) {
    const after = { rate: typed.rate, days: typed.days };
    return {
      after: written,
      change: { action: 'typed a rate', subject: { kind: 'rate', id }, before: was, after },
    };
  }
  return {
    after: null,
    change: was && { action: 'took back a typed rate', subject: { kind: 'rate', id }, before: was },
  };
}
