import { currencies, currencyScale, fineScale } from '../../money/assets.ts';

const units = currencies
  .map((currency) => `WHEN '${currency}' THEN ${10n ** BigInt(fineScale - currencyScale[currency])}`)
  .join(' ');

/**
 * SQL: what of the amounts of completed payments did not come since they were completed short, in units of their currency;
 * `which` says of which payments `s`. What came of an amount is its part of what was due, rounded down. Sums of amounts take it
 * off: few payments have it, and they have an index.
 */
export const lackingSql = (which: string): string =>
  `coalesce((SELECT sum(s.amount - div(s.amount * s.short_units, s.amount_due * CASE s.currency ${units} END))
    FROM payments s WHERE s.short_units IS NOT NULL AND s.status = 'completed' AND ${which}), 0)`;
