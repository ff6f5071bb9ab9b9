-- The link of the first run (docs/contract.md#first-run): one at most, and none once there is an operator.
CREATE TABLE setup_links (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  token_hash text NOT NULL,
  expires_at timestamptz NOT NULL
);
