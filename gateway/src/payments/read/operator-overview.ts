import type { IntegrationId, Mode } from '../../identity/integration.ts';
import { after } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import { feeAccount } from '../../ledger/places.ts';
import { statementsOf } from '../../ledger/statements.ts';
import { type Assets, type Currency, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { HostParts } from '../../rails/direct.ts';
import { cameSql } from '../payment/lacking.ts';
import { groupsOf } from './groups.ts';

const daySeconds = 24 * 3600;

/** The figures of an installation; amounts are decimals. */
export type OperatorFigures = {
  mode: Mode;
  days: number;
  /** Payments that were created in the last `days` days. */
  volume: { currency: Currency; payments: number; completed: number; amount: string }[];
  /** Of this calendar month (UTC) and the one before. */
  fees: {
    asset: string;
    currency: Currency | null;
    network: string | null;
    this_month: string;
    last_month: string;
    /** The host's part of direct settlements, which is in no account of the ledger. */
    direct_this_month: string;
    direct_last_month: string;
  }[];
};

type Volume = { currency: Currency; payments: number; completed: number; units: bigint };

/** What an integration with more payments has is taken from sums; those of others are added up together. */
const mostCounted = 2_000;

const volumesSql = `
SELECT i.id, p.currency, p.payments, p.completed, p.units, large.is
FROM integrations i
CROSS JOIN LATERAL (
  SELECT EXISTS (SELECT FROM payments WHERE integration_id = i.id AND mode = $1 AND created_at >= $2
    ORDER BY created_at OFFSET ${mostCounted} LIMIT 1) AS is
) large
LEFT JOIN LATERAL (
  SELECT currency, count(*)::int AS payments, count(*) FILTER (WHERE status = 'completed')::int AS completed,
    coalesce(sum(${cameSql('payments', 'amount')}) FILTER (WHERE status = 'completed'), 0) AS units
  FROM payments WHERE integration_id = i.id AND mode = $1 AND created_at >= $2 AND NOT large.is GROUP BY currency
) p ON true
WHERE large.is OR p.currency IS NOT NULL`;

type VolumeRow = { id: IntegrationId } & (
  | { is: true }
  | ({ is: false; currency: Currency | null } & Omit<Volume, 'currency'>)
);

/** The volume of all merchants' payments since a time. */
async function volumeSince(reader: Reader, mode: Mode, since: Date, now: Date): Promise<Volume[]> {
  const volumes = new Map<Currency, Volume>();
  const add = (currency: Currency | null, more: Omit<Volume, 'currency'>): void => {
    if (currency === null) return;
    const { payments, completed, units } = volumes.get(currency) ?? { payments: 0, completed: 0, units: 0n };
    volumes.set(currency, {
      currency,
      payments: payments + more.payments,
      completed: completed + more.completed,
      units: units + more.units,
    });
  };
  const { rows } = await reader.query<VolumeRow>(volumesSql, [mode, since]);
  for (const row of rows) {
    if (!row.is) {
      add(row.currency, row);
      continue;
    }
    const span = { n: 0, from: since, to: after(now, daySeconds) };
    for (const { status, currency, count, units } of await groupsOf(reader, { integrationId: row.id, mode }, [
      span,
    ])) {
      add(currency, { payments: count, completed: status === 'completed' ? count : 0, units });
    }
  }
  return [...volumes.values()].sort((one, other) => one.currency.localeCompare(other.currency));
}

/** A calendar month (UTC) as `2026-03`: `back` months before the one of `now`. */
function monthOf(now: Date, back: number): string {
  const month = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('UTC');
  return month.toPlainDate().toPlainYearMonth().subtract({ months: back }).toString();
}

/** The figures of an installation: the volume of the last days, and the fees of this month and of the last one. */
export async function operatorOverview(
  reader: Reader,
  { assets, hostParts }: { assets: Assets; hostParts: HostParts },
  { mode, days }: { mode: Mode; days: number },
  now: Date,
): Promise<OperatorFigures> {
  const volume = await volumeSince(reader, mode, after(now, -days * daySeconds), now);
  const [thisMonth, lastMonth] = [monthOf(now, 0), monthOf(now, 1)];
  const statements = await statementsOf(reader, { kind: 'fees', owner: feeAccount.owner, mode });
  const direct = await hostParts(reader, mode, new Date(`${lastMonth}-01T00:00:00Z`));
  const codes = [...new Set([...statements, ...direct].map(({ asset }) => asset))].sort();
  return {
    mode,
    days,
    volume: volume.map(({ units, ...counts }) => ({
      ...counts,
      amount: decimalOf(units, currencyScale[counts.currency]),
    })),
    fees: codes.map((code) => {
      const known = assets.find(code);
      const earned = (month: string): string => {
        const found = statements.find((each) => each.asset === code && each.month === month);
        return decimalOf(found?.incoming ?? 0n, known?.scale ?? 0);
      };
      const arrived = (month: string): string => {
        const found = direct.find((each) => each.asset === code && each.month === month);
        return decimalOf(found?.units ?? 0n, known?.scale ?? 0);
      };
      return {
        asset: code,
        currency: known?.currency ?? null,
        network: known?.network ?? null,
        this_month: earned(thisMonth),
        last_month: earned(lastMonth),
        direct_this_month: arrived(thisMonth),
        direct_last_month: arrived(lastMonth),
      };
    }),
  };
}
