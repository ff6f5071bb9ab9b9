-- The addresses to which a user withdraws. A new one rests, so that its owner can stop somebody else's.
CREATE TABLE withdrawal_addresses (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  -- addresses of EVM chains in lower case
  address text NOT NULL,
  memo text,
  label text NOT NULL,
  created_at timestamptz NOT NULL,
  usable_at timestamptz NOT NULL,
  removed_at timestamptz
);
CREATE UNIQUE INDEX withdrawal_addresses_known ON withdrawal_addresses (user_id, mode, address, coalesce(memo, ''))
  WHERE removed_at IS NULL;

-- Payouts out of a user's balance.
CREATE TABLE withdrawals (
  payout_id uuid PRIMARY KEY REFERENCES payouts,
  user_id uuid NOT NULL REFERENCES users,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  -- the form that asked for it, which has one effect however often it comes
  form_key text NOT NULL,
  -- whether its user was told that it left: once, also where a reorg takes it back and it leaves again
  told_sent boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  UNIQUE (user_id, form_key)
);
CREATE INDEX withdrawals_user ON withdrawals (user_id, mode, payout_id DESC);
