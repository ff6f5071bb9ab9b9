import type { IntegrationId, Mode } from '../../identity/integration.ts';
import { after } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import { type Currency, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { lackingSql } from '../payment/lacking.ts';

/** Completed payments of one mode and currency; `amount` is a decimal in the currency itself. */
export type Volume = { mode: Mode; currency: Currency; payments: string; amount: string };

const short =
  's.integration_id = $1 AND s.mode = payments.mode AND s.created_at >= $2 AND s.currency = payments.currency';

const daysSeconds = 30 * 24 * 3600;

/** What an integration's payments of the last 30 days came to. */
export async function recentVolume(reader: Reader, id: IntegrationId, now: Date): Promise<Volume[]> {
  const { rows } = await reader.query<{ mode: Mode; currency: Currency; payments: bigint; amount: bigint }>(
    `SELECT mode, currency, count(*) AS payments, sum(amount) - ${lackingSql(short)} AS amount FROM payments
     WHERE integration_id = $1 AND mode IN ('test', 'live') AND created_at >= $2 AND status = 'completed'
     GROUP BY mode, currency ORDER BY mode, currency`,
    [id, after(now, -daysSeconds)],
  );
  return rows.map(({ mode, currency, payments, amount }) => ({
    mode,
    currency,
    payments: payments.toString(),
    amount: decimalOf(amount, currencyScale[currency]),
  }));
}
