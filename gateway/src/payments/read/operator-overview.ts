import type { Mode } from '../../identity/integration.ts';
import { after } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import { feeAccount } from '../../ledger/places.ts';
import { statementsOf } from '../../ledger/statements.ts';
import { type Assets, type Currency, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { lackingSql } from '../payment/lacking.ts';

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
  }[];
};

type Volume = { currency: Currency; payments: number; completed: number; units: bigint };

const short =
  's.integration_id = i.id AND s.mode = $1 AND s.created_at >= $2 AND s.currency = payments.currency';

/** The volume of all merchants' payments since a time. It reads only the index of each integration's list. */
async function volumeSince(reader: Reader, mode: Mode, since: Date): Promise<Volume[]> {
  const { rows } = await reader.query<Volume>(
    `SELECT p.currency, sum(p.payments)::int AS payments, sum(p.completed)::int AS completed,
       sum(p.units) AS units
     FROM integrations i CROSS JOIN LATERAL (
       SELECT currency, count(*) AS payments, count(*) FILTER (WHERE status = 'completed') AS completed,
         coalesce(sum(amount) FILTER (WHERE status = 'completed'), 0) - ${lackingSql(short)} AS units
       FROM payments WHERE integration_id = i.id AND mode = $1 AND created_at >= $2 GROUP BY currency
     ) p
     GROUP BY p.currency ORDER BY p.currency`,
    [mode, since],
  );
  return rows;
}

/** A calendar month (UTC) as `2026-03`: `back` months before the one of `now`. */
function monthOf(now: Date, back: number): string {
  const month = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('UTC');
  return month.toPlainDate().toPlainYearMonth().subtract({ months: back }).toString();
}

/** The figures of an installation: the volume of the last days, and the fees of this month and of the last one. */
export async function operatorOverview(
  reader: Reader,
  assets: Assets,
  { mode, days }: { mode: Mode; days: number },
  now: Date,
): Promise<OperatorFigures> {
  const volume = await volumeSince(reader, mode, after(now, -days * daySeconds));
  const [thisMonth, lastMonth] = [monthOf(now, 0), monthOf(now, 1)];
  const statements = await statementsOf(reader, { kind: 'fees', owner: feeAccount.owner, mode });
  const codes = [...new Set(statements.map(({ asset }) => asset))].sort();
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
      return {
        asset: code,
        currency: known?.currency ?? null,
        network: known?.network ?? null,
        this_month: earned(thisMonth),
        last_month: earned(lastMonth),
      };
    }),
  };
}
