/** SQL for the 32 days in which a transfer was seen, by which its transaction and its sender are indexed. */
const spanOf = (transfer: string): string =>
  `((${transfer}.seen_at AT TIME ZONE 'UTC')::date - DATE '2020-01-01') / 32`;

// Jumps from one span to the next.
const spansSql = `ARRAY(WITH RECURSIVE spans (n) AS (
    (SELECT ${spanOf('t')} FROM payment_transfers t ORDER BY 1 LIMIT 1)
    UNION ALL
    SELECT (SELECT ${spanOf('t')} FROM payment_transfers t WHERE ${spanOf('t')} > spans.n ORDER BY 1 LIMIT 1)
    FROM spans WHERE n IS NOT NULL
  ) SELECT n FROM spans WHERE n IS NOT NULL)`;

/**
 * SQL: that the payment_transfers `transfer` have one of these transactions or senders; `texts` is SQL for an array. They are
 * looked up in each span of days by four bytes of a hash.
 */
export const transferIs = (transfer: string, column: 'transaction' | 'sender', texts: string): string =>
  `${spanOf(transfer)} = ANY (${spansSql})
     AND hashtext(${transfer}.${column}) = ANY (ARRAY(SELECT hashtext(text) FROM unnest(${texts}) AS each (text)))
     AND ${transfer}.${column} = ANY (${texts})`;
