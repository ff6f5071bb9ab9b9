import type { Mode } from '../../identity/integration.ts';
import type { Reader } from '../../kit/db/db.ts';
import { firstIdAt } from '../../kit/ids.ts';
import { type Assets, type Currency, currencyScale } from '../../money/assets.ts';
import type { PaymentStatus, Reason } from '../payment/payment.ts';

/** A payment that an unmatched deposit, or money of another payment, was likely meant for. */
export type LikelyMatch = {
  id: string;
  reference: string;
  status: PaymentStatus;
  reason: Reason | null;
  mode: Mode;
  integration_id: string;
  integration_name: string;
  amount_due: bigint;
  currency: Currency;
  /** The merchant's own names for the customer. */
  customer_reference: string | null;
  customer_email: string | null;
  created_at: Date;
};

const matchSql = `
SELECT o.id, o.reference, o.status, o.reason, o.mode, o.integration_id, i.name AS integration_name, o.amount_due,
  o.currency, o.customer_reference, o.customer_email, o.created_at
FROM payments o JOIN integrations i ON i.id = o.integration_id`;

// Ids are in the order of creation: a search over all integrations needs no further index.
const wantingSql = (scope: string) => `${matchSql}
WHERE o.id BETWEEN $1 AND $2 AND o.mode = $3 AND o.currency = $4
  AND o.created_at >= $5::timestamptz - interval '2 days'
  AND date_trunc('second', o.created_at) <= $5::timestamptz
  AND o.status IN ('unlinked', 'linked', 'pending', 'cancelled', 'failed')
  AND abs(o.amount_due - $6::numeric) * 50 <= o.amount_due AND ${scope}
ORDER BY abs(o.amount_due - $6::numeric), o.created_at DESC LIMIT 5`;
const ofAnybodySql = wantingSql('TRUE');
const ofIntegrationSql = wantingSql('o.integration_id = $7 AND o.id <> $8');

/** Money that arrived; units at its asset's scale. */
type Arrived = { asset: string; units: bigint; at: Date; mode: Mode };

/**
 * Payments that still miss about this much, created within two days before it came (by the whole seconds of ledgers); the
 * nearest in amount first, then in time. They are one integration's, without the payment that it was sent to, or anybody's.
 * The currency is that of the money, which may not be that of its payment.
 */
export async function wantingMatches(
  reader: Reader,
  assets: Assets,
  { asset: code, units, at, mode }: Arrived,
  scope: { integrationId: string; except: string } | null,
): Promise<LikelyMatch[]> {
  const asset = assets.find(code);
  if (!asset) return [];
  const { currency, scale } = asset;
  const about = units / 10n ** BigInt(scale - currencyScale[currency]);
  const hours = (count: number) => new Date(at.getTime() + count * 3_600_000);
  const values = [firstIdAt(hours(-49)), firstIdAt(hours(1)), mode, currency, at, about];
  const { rows } = await reader.query<LikelyMatch>(
    scope ? ofIntegrationSql : ofAnybodySql,
    scope ? [...values, scope.integrationId, scope.except] : values,
  );
  return rows;
}

/** Payments by their ids, in no order. */
export async function matchesById(reader: Reader, ids: readonly string[]): Promise<LikelyMatch[]> {
  if (ids.length === 0) return [];
  const { rows } = await reader.query<LikelyMatch>(`${matchSql} WHERE o.id = ANY($1)`, [ids]);
  return rows;
}
