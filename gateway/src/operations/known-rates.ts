import type { Database, Reader } from '../kit/db/db.ts';

/** The last rate of a source for a currency, as a decimal string, and when it was given. */
export type KnownRate = { currency: string; usd: string; at: Date };

/** The last known rate of every currency that a source ever gave one for. */
export async function readKnownRates(reader: Reader): Promise<KnownRate[]> {
  const { rows } = await reader.query<KnownRate>('SELECT currency, usd, at FROM known_rates');
  return rows;
}

/** Keeps rates as the last known ones. */
export async function keepRates(db: Database, usd: Record<string, string>, at: Date): Promise<void> {
  await db.query(
    `INSERT INTO known_rates (currency, usd, at)
     SELECT key, value, $2 FROM json_each_text($1) ORDER BY key
     ON CONFLICT (currency) DO UPDATE SET usd = excluded.usd, at = excluded.at
     WHERE known_rates.at <= excluded.at`,
    [JSON.stringify(usd), at],
  );
}
