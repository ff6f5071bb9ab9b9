-- The addresses to which a merchant's payments settle without passing the gateway (direct settlement), by asset:
-- {asset: {address, mode, currency, from, by, before}}.
ALTER TABLE integrations ADD COLUMN own_addresses jsonb NOT NULL DEFAULT '{}';
-- An address belongs to one integration for good: what its splitter releases is booked to that one.
CREATE TABLE own_address_holders (
  address text COLLATE "C" PRIMARY KEY,
  integration_id uuid NOT NULL REFERENCES integrations,
  created_at timestamptz NOT NULL
);
