import type { Reader } from '../../../kit/db/db.ts';
import { oneRow } from '../../../kit/db/one-row.ts';
import { keptTables } from '../../../operations/kept-tables.ts';

/**
 * What an upgrade may not change, as texts of whole numbers by what they count: the rows of each table to which rows are
 * only added, and the sum of all balances by mode, asset and kind of account, in units.
 */
export type Sums = Readonly<Record<string, string>>;

const rowsOf = 'rows of ';

/** Reads the sums. `reader` should see one moment of the database, or a database on which nobody works. */
export async function readSums(reader: Reader): Promise<Sums> {
  const sums: Record<string, string> = {};
  for (const table of Object.keys(keptTables)) {
    // A migration to come may make it. The list of migrations grows with every one.
    const exists = await reader.query('SELECT WHERE to_regclass($1) IS NOT NULL', [table]);
    if (exists.rowCount === 0 || table === 'schema_migrations') continue;
    const found = await reader.query<{ count: bigint }>(`SELECT count(*) FROM ${table}`);
    sums[`${rowsOf}${table}`] = `${oneRow(found, `rows of ${table}`).count}`;
  }
  const { rows } = await reader.query<{ what: string; balance: bigint; held: bigint }>(
    `SELECT mode || ' ' || asset || ' of ' || kind AS what, sum(balance) AS balance, sum(held) AS held
     FROM ledger_accounts GROUP BY mode, asset, kind ORDER BY what`,
  );
  for (const { what, balance, held } of rows) {
    sums[`balance in ${what}`] = `${balance}`;
    sums[`held in ${what}`] = `${held}`;
  }
  return sums;
}

/** What is less after than before, or of another amount, one line for each. A new kind of row or account is no fault. */
export function compareSums(before: Sums, after: Sums): string[] {
  return Object.entries(before).flatMap(([what, was]) => {
    const now = after[what];
    const isMore = what.startsWith(rowsOf) && now !== undefined && BigInt(now) >= BigInt(was);
    return now === was || isMore ? [] : [`${what}: ${was} before, ${now ?? 'none'} after`];
  });
}
