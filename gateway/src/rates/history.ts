import type { IntegrationId, Mode } from '../identity/integration.ts';
import type { Reader, Tx } from '../kit/db/db.ts';
import { type Currency, currencies } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { type PriceCurrency, usDollar } from '../money/price-currencies.ts';
import { rateScale } from '../money/rates.ts';
import { readRates } from './read-rates.ts';
import { testRate } from './test-rates.ts';

/** Whose rates they are, as the history names it. */
const liveOwner = 'live';

const noteSql = `
INSERT INTO rate_history (owner, currency, price_currency, at, rate)
SELECT $1, w.currency, w.price_currency, $2, w.rate
FROM unnest($3::text[], $4::text[], $5::text[]) AS w(currency, price_currency, rate)
LEFT JOIN LATERAL (
  SELECT h.rate FROM rate_history h
  WHERE h.owner = $1 AND h.currency = w.currency AND h.price_currency = w.price_currency
  ORDER BY h.at DESC LIMIT 1
) last ON true
WHERE last.rate IS DISTINCT FROM w.rate
ON CONFLICT DO NOTHING`;

type Noted = { currency: Currency; priceCurrency: PriceCurrency; rate: string | null };

async function note(tx: Reader, owner: string, rates: readonly Noted[], now: Date): Promise<void> {
  await tx.query(noteSql, [
    owner,
    now,
    rates.map(({ currency }) => currency),
    rates.map(({ priceCurrency }) => priceCurrency),
    rates.map(({ rate }) => rate),
  ]);
}

/** Notes the live rates of every coin in each currency in which books are kept, where they changed. */
export async function noteLiveRates(db: Reader, now: Date): Promise<void> {
  const { rows } = await db.query<{ currency: PriceCurrency }>(
    'SELECT DISTINCT currency FROM accounting_currencies',
  );
  const kept = new Set([usDollar, ...rows.map(({ currency }) => currency)]);
  const pairs = currencies.flatMap((currency) =>
    [...kept].map((priceCurrency) => ({ currency, priceCurrency })),
  );
  const integrationId = '' as IntegrationId;
  const wanted = pairs.map((pair) => ({ integrationId, mode: 'live' as const, ...pair }));
  const found = await readRates(db, wanted, now);
  const noted = pairs.map((pair, index) => ({ ...pair, rate: found[index]?.rate ?? null }));
  await note(db, liveOwner, noted, now);
}

/** Notes the test rate of an integration, in the transaction that sets it; null: the built-in one. */
export async function noteTestRate(
  tx: Tx,
  integrationId: IntegrationId,
  { currency, priceCurrency, rate }: Noted,
  now: Date,
): Promise<void> {
  const own = rate ?? decimalOf(testRate(currency, priceCurrency), rateScale);
  await note(tx, integrationId, [{ currency, priceCurrency, rate: own }], now);
}

/** Keeps the books of an integration in another currency from now on. */
export async function setAccountingCurrency(
  tx: Tx,
  integrationId: IntegrationId,
  currency: PriceCurrency,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO accounting_currencies (integration_id, since, currency) VALUES ($1, $2, $3)
     ON CONFLICT (integration_id, since) DO UPDATE SET currency = excluded.currency`,
    [integrationId, now, currency],
  );
  await noteLiveRates(tx, now);
}

/** The currency in which the books of an integration are kept at a time. */
export async function accountingCurrencyOf(
  reader: Reader,
  integrationId: IntegrationId,
  at: Date,
): Promise<PriceCurrency> {
  const { rows } = await reader.query<{ currency: PriceCurrency }>(
    `SELECT currency FROM accounting_currencies WHERE integration_id = $1 AND since <= $2
     ORDER BY since DESC LIMIT 1`,
    [integrationId, at],
  );
  return rows[0]?.currency ?? usDollar;
}

/** What one of a coin was worth at a time, in the accounting currency of that time. */
export type PastRate = { priceCurrency: PriceCurrency; rate: string };

const pastSql = `
SELECT coalesce($5::text, c.currency, '${usDollar}') AS "priceCurrency", h.rate
FROM unnest($3::text[], $4::timestamptz[]) WITH ORDINALITY AS w(currency, at, n)
LEFT JOIN LATERAL (
  SELECT currency FROM accounting_currencies WHERE integration_id = $1 AND since <= w.at ORDER BY since DESC LIMIT 1
) c ON true
LEFT JOIN LATERAL (
  SELECT rate FROM rate_history
  WHERE owner = $2 AND currency = w.currency AND price_currency = coalesce($5, c.currency, '${usDollar}') AND at <= w.at
  ORDER BY at DESC LIMIT 1
) h ON true
ORDER BY w.n`;

/**
 * What coins were worth for an integration, in the order of `wanted`: in one currency, or each in the accounting currency of its
 * time. A rate that is null: there was none, or it was not noted.
 */
export async function readPastRates(
  reader: Reader,
  { integrationId, mode }: { integrationId: IntegrationId; mode: Mode },
  wanted: readonly { currency: Currency; at: Date }[],
  priceCurrency: PriceCurrency | null = null,
): Promise<{ priceCurrency: PriceCurrency; rate: string | null }[]> {
  if (wanted.length === 0) return [];
  const { rows } = await reader.query<{ priceCurrency: PriceCurrency; rate: string | null }>(pastSql, [
    integrationId,
    mode === 'test' ? integrationId : liveOwner,
    wanted.map(({ currency }) => currency),
    wanted.map(({ at }) => at),
    priceCurrency,
  ]);
  return rows.map(({ priceCurrency: of, rate }, index) => {
    const currency = wanted[index]?.currency;
    const builtin = mode === 'test' && currency ? testRate(currency, of) : null;
    const known = rate ?? (builtin === null ? null : decimalOf(builtin, rateScale));
    return { priceCurrency: of, rate: known };
  });
}
