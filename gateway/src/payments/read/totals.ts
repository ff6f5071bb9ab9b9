import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import { type Currency, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { lackingSql } from '../payment/lacking.ts';
import type { PaymentStatus } from '../payment/payment.ts';
import type { PaymentFilter } from './filter.ts';
import { listQuery } from './list.ts';

/** Only so many are read, so that the totals are shown at once however many there are. */
export const mostTotalled = 10_000;

type Group = { payment_status: PaymentStatus; currency: Currency; count: number; amount: string };

/** How many of the newest payments that the filter wants have each status, and their amounts by currency: of completed ones what came of them. */
export async function totalsOf(reader: Reader, owner: Owner, filter: PaymentFilter): Promise<Group[]> {
  const newest = listQuery(
    owner,
    filter,
    { place: null, limit: mostTotalled },
    `p.status, p.currency, CASE WHEN p.short_units IS NULL THEN p.amount ELSE p.amount - ${lackingSql('s.id = p.id')} END AS amount`,
  );
  const { rows } = await reader.query<{
    status: PaymentStatus;
    currency: Currency;
    count: number;
    units: bigint;
  }>(
    `SELECT status, currency, count(*)::int AS count, sum(amount) AS units FROM (${newest.text}) newest
     GROUP BY status, currency ORDER BY status, currency`,
    newest.values,
  );
  return rows.map(({ status, currency, count, units }) => ({
    payment_status: status,
    currency,
    count,
    amount: decimalOf(units, currencyScale[currency]),
  }));
}
