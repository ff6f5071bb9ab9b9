-- Money that left the addresses of direct settlement for the merchant's own address or the host's, or that somebody sent
-- there who pays no payment.
CREATE TABLE direct_moves (
  -- its name for good
  ledger_id uuid PRIMARY KEY,
  integration_id uuid NOT NULL REFERENCES integrations,
  mode text NOT NULL,
  rail text NOT NULL,
  transaction text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  target text NOT NULL CHECK (target IN ('merchant', 'host', 'given')),
  sender text NOT NULL,
  receiver text NOT NULL,
  -- when the chain took it
  at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('final', 'gone')),
  bookings integer NOT NULL DEFAULT 1,
  final_at timestamptz NOT NULL,
  gone_at timestamptz
);
CREATE INDEX direct_moves_integration ON direct_moves (integration_id, mode, ledger_id);
