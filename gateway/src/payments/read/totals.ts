import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import { type Currency, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { minorDigits, type PriceCurrency } from '../../money/price-currencies.ts';
import { cameSql } from '../payment/lacking.ts';
import type { PaymentStatus } from '../payment/payment.ts';
import type { PaymentFilter } from './filter.ts';
import { listQuery } from './list.ts';

/** Only so many are read, so that the totals are shown at once however many there are. */
export const mostTotalled = 10_000;

/** `currency` is what is paid; null: open payments, whose customers have not chosen. */
type Group = { payment_status: PaymentStatus; currency: Currency | null; count: number; amount: string };
/** What was asked in prices, beside what is paid. */
type PriceGroup = { payment_status: PaymentStatus; currency: PriceCurrency; count: number; amount: string };

/**
 * How many of the newest payments that the filter wants have each status, and their amounts and prices by currency: of
 * completed ones what came of them.
 */
export async function totalsOf(
  reader: Reader,
  owner: Owner,
  filter: PaymentFilter,
): Promise<{ groups: Group[]; prices: PriceGroup[] }> {
  const newest = listQuery(
    owner,
    filter,
    { place: null, limit: mostTotalled },
    `p.status, p.currency, p.price_currency,
     ${cameSql('p', 'amount')} AS amount, ${cameSql('p', 'price_amount')} AS price_amount`,
  );
  const { rows } = await reader.query<{
    status: PaymentStatus;
    currency: Currency | null;
    price_currency: PriceCurrency | null;
    count: number;
    units: bigint | null;
    price_units: bigint | null;
  }>(
    `SELECT status, currency, price_currency, count(*)::int AS count, sum(amount) AS units,
       sum(price_amount) AS price_units
     FROM (${newest.text}) newest GROUP BY status, currency, price_currency ORDER BY status, currency, price_currency`,
    newest.values,
  );
  const groups = new Map<string, Sum<Currency | null>>();
  const prices = new Map<string, Sum<PriceCurrency>>();
  for (const { status, currency, price_currency, count, units, price_units } of rows) {
    add(groups, { payment_status: status, currency, count, units: units ?? 0n });
    if (price_currency !== null)
      add(prices, { payment_status: status, currency: price_currency, count, units: price_units ?? 0n });
  }
  return {
    groups: [...groups.values()].map(({ units, ...group }) => ({
      ...group,
      amount: group.currency === null ? '0' : decimalOf(units, currencyScale[group.currency]),
    })),
    prices: [...prices.values()].map(({ units, ...group }) => ({
      ...group,
      amount: decimalOf(units, minorDigits(group.currency)),
    })),
  };
}

type Sum<Code> = { payment_status: PaymentStatus; currency: Code; count: number; units: bigint };

/** Adds up the rows of one status and currency. */
function add<Code>(sums: Map<string, Sum<Code>>, row: Sum<Code>): void {
  const name = `${row.payment_status} ${row.currency}`;
  const { count = 0, units = 0n } = sums.get(name) ?? {};
  sums.set(name, { ...row, count: count + row.count, units: units + row.units });
}
