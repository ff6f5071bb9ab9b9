ALTER TABLE api_keys
  ADD COLUMN name text,
  -- false: rolled, and its successor was told to sign already
  ADD COLUMN signs boolean NOT NULL DEFAULT true,
  -- {"usdt-bep20": "100"}: what it may fund in a UTC day; NULL: no limit; an asset that is not named: nothing
  ADD COLUMN daily_limits jsonb,
  -- whose daily sums it shares: a rolled key's successor goes on with them; NULL: its own
  ADD COLUMN allowance_id uuid,
  ADD COLUMN last_used_at timestamptz,
  ADD COLUMN last_used_from text;
CREATE INDEX api_keys_owner ON api_keys (integration_id, mode, id DESC);

-- What keys with a daily limit have funded, in units at the asset's own scale.
CREATE TABLE funding_allowances (
  allowance_id uuid NOT NULL,
  asset text NOT NULL,
  day date NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units >= 0),
  PRIMARY KEY (allowance_id, asset, day)
);

-- What a funding took from an allowance while its outcome is open: given back when it is voided.
CREATE TABLE funding_claims (
  funding_id uuid PRIMARY KEY,
  allowance_id uuid NOT NULL,
  asset text NOT NULL,
  day date NOT NULL,
  units numeric(78,0) NOT NULL
);
