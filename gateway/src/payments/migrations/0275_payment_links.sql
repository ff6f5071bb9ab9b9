-- A reusable address at which customers make ordinary payments of a merchant. Amounts are units at the currency's scale:
-- `amount` is fixed; without it the customer names one, within the limits that are set.
CREATE TABLE payment_links (
  id uuid PRIMARY KEY,
  -- 100 random bits: whoever has it may pay, nobody guesses it
  code text NOT NULL UNIQUE,
  integration_id uuid NOT NULL,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  title text NOT NULL,
  description text,
  currency text NOT NULL,
  amount numeric(78,0) CHECK (amount > 0),
  min_amount numeric(78,0) CHECK (min_amount > 0),
  max_amount numeric(78,0) CHECK (max_amount > 0 AND max_amount >= min_amount),
  one_use boolean NOT NULL,
  success_url text,
  expires_at timestamptz,
  stopped_at timestamptz,
  created_at timestamptz NOT NULL,
  CHECK (amount IS NULL OR (min_amount IS NULL AND max_amount IS NULL))
);
CREATE INDEX payment_links_list ON payment_links (integration_id, mode, created_at, id);

-- Which link a payment was made by. `one_use`: no other payment of that link may be open or completed beside it.
ALTER TABLE payments ADD COLUMN link_id uuid, ADD COLUMN one_use boolean NOT NULL DEFAULT false;
CREATE INDEX payments_link ON payments (link_id, created_at, id) INCLUDE (status, amount, completed_at)
  WHERE link_id IS NOT NULL;
CREATE INDEX payments_link_open ON payments (link_id, status)
  WHERE link_id IS NOT NULL AND status IN ('unlinked', 'linked', 'pending', 'in-appeal');
