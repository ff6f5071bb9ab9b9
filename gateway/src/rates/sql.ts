import { anyLength } from '../kit/db/sql-arrays.ts';

/** $1: integrations; $2, $3: currencies and price currencies of the pairs that they want in test mode. */
export const readTestRatesSql = `
  SELECT integration_id AS "integrationId", currency, price_currency AS "priceCurrency", rate FROM test_rates
  WHERE integration_id = ANY ${anyLength('$1', 'uuid')} AND currency = ANY ${anyLength('$2', 'text')}
    AND price_currency = ANY ${anyLength('$3', 'text')}`;

/** $1, $2: the pairs from which live rates follow. */
export const readLiveRatesSql = `
  SELECT
    (SELECT json_agg(json_build_array(a.currency, a.price_currency, a.source, a.rate, ${ms('a.at')}))
     FROM rate_answers a WHERE a.rate IS NOT NULL AND (a.currency, a.price_currency) IN (${pairs()})) AS said,
    (SELECT json_agg(json_build_array(t.currency, t.price_currency, t.rate, ${ms('t.typed_at')}, ${ms('t.ends_at')}))
     FROM typed_rates t WHERE (t.currency, t.price_currency) IN (${pairs()})) AS typed,
    (SELECT count(*)::int FROM rate_sources WHERE quotes_coins) AS coin_sources`;

function pairs(): string {
  return `SELECT * FROM unnest(${anyLength('$1', 'text')}, ${anyLength('$2', 'text')})`;
}

/** Milliseconds since 1970, as JSON has no times. */
function ms(column: string): string {
  return `(extract(epoch FROM ${column}) * 1000)::float8`;
}

/** $1: the source; $2, $3: its pairs; $4, $5: their rates and times; $6: why there is none. An earlier rate stays. */
export const writeAnswersSql = `
  INSERT INTO rate_answers AS a (currency, price_currency, source, rate, at, fault)
  SELECT w.currency, w.price_currency, $1, w.rate, w.at::timestamptz, w.fault
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS w (currency, price_currency, rate, at, fault)
  ON CONFLICT (currency, price_currency, source) DO UPDATE
  SET rate = coalesce(excluded.rate, a.rate), at = coalesce(excluded.at, a.at), fault = excluded.fault`;
