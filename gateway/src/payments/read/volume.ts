import type { IntegrationId, Mode } from '../../identity/integration.ts';
import { after } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import { type Currency, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { groupsOf } from './groups.ts';

/** Completed payments of one mode and currency; `amount` is a decimal in the currency itself. */
export type Volume = { mode: Mode; currency: Currency; payments: string; amount: string };

const daySeconds = 24 * 3600;

/** What an integration's payments of the last 30 days came to. */
export async function recentVolume(reader: Reader, id: IntegrationId, now: Date): Promise<Volume[]> {
  const span = { n: 0, from: after(now, -30 * daySeconds), to: after(now, daySeconds) };
  const volumes: Volume[] = [];
  for (const mode of ['live', 'test'] as const) {
    const sums = new Map<Currency, { payments: number; units: bigint }>();
    for (const { status, currency, count, units } of await groupsOf(reader, { integrationId: id, mode }, [
      span,
    ])) {
      if (status !== 'completed' || currency === null) continue;
      const sum = sums.get(currency) ?? { payments: 0, units: 0n };
      sums.set(currency, { payments: sum.payments + count, units: sum.units + units });
    }
    for (const [currency, { payments, units }] of [...sums].sort(([one], [other]) =>
      one.localeCompare(other),
    )) {
      volumes.push({
        mode,
        currency,
        payments: `${payments}`,
        amount: decimalOf(units, currencyScale[currency]),
      });
    }
  }
  return volumes;
}
