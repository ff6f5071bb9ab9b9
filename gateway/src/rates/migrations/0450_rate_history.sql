-- What the rates were, so that the value of a line of the books is always that of its moment: a row for each change.
CREATE TABLE rate_history (
  -- 'live', or the integration whose test rate it was
  owner text NOT NULL,
  currency text NOT NULL,
  price_currency text NOT NULL,
  at timestamptz NOT NULL,
  -- NULL: from then on there was none
  rate text,
  PRIMARY KEY (owner, currency, price_currency, at)
);

-- In which money an integration keeps its books, from when on; before its first row in USD.
CREATE TABLE accounting_currencies (
  integration_id uuid NOT NULL REFERENCES integrations,
  since timestamptz NOT NULL,
  currency text NOT NULL,
  PRIMARY KEY (integration_id, since)
);
