-- Where rates come from, in the order of the configuration: written by the process that asks, read by all.
CREATE TABLE rate_sources (
  name text PRIMARY KEY,
  place integer NOT NULL,
  -- false: it only says what price currencies are worth in each other
  quotes_coins boolean NOT NULL,
  asked_at timestamptz,
  -- why it gave nothing when it was last asked; NULL: it answered
  fault text
);

-- The last rate that a source gave for a pair: units of the price currency for one unit of the currency.
CREATE TABLE rate_answers (
  currency text NOT NULL,
  price_currency text NOT NULL,
  source text NOT NULL REFERENCES rate_sources ON DELETE CASCADE,
  rate text,
  at timestamptz,
  -- why what it said last is no rate; NULL: it is one
  fault text,
  PRIMARY KEY (currency, price_currency, source),
  CHECK ((rate IS NULL) = (at IS NULL)),
  CHECK (rate IS NOT NULL OR fault IS NOT NULL)
);

-- Rates that operators typed, which replace all sources of their pair until they end.
CREATE TABLE typed_rates (
  currency text NOT NULL,
  price_currency text NOT NULL,
  rate text NOT NULL,
  typed_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (currency, price_currency),
  CHECK (ends_at > typed_at AND ends_at <= typed_at + interval '30 days')
);

-- What an integration set for its payments in test mode; a pair without a row has the built-in test rate.
CREATE TABLE test_rates (
  integration_id uuid NOT NULL REFERENCES integrations,
  currency text NOT NULL,
  price_currency text NOT NULL,
  rate text NOT NULL,
  PRIMARY KEY (integration_id, currency, price_currency)
);
