-- What operators changed of a currency; one without a row has the built-in terms.
CREATE TABLE currency_terms (
  currency text PRIMARY KEY,
  -- new payments may ask for it
  offered boolean NOT NULL,
  -- the least that a payment is worth, in US cents
  minimum_cents integer NOT NULL CHECK (minimum_cents BETWEEN 0 AND 100000000),
  -- what the bare currency means; NULL: what the configuration says
  default_asset text,
  -- networks that customers may not choose
  hidden_assets text[] NOT NULL
);

-- What may stand in suspense, newest first.
CREATE INDEX payment_transfers_final ON payment_transfers (ledger_id DESC) WHERE state = 'final';
