-- Money that came into a treasury or vault, or left it, as its chain shows it; of Pi, what left its account without an
-- order. Places are 'addresses', 'treasury', 'vault' and 'operator', which is outside.
CREATE TABLE treasury_moves (
  -- the ledger transfer that booked it first
  ledger_id uuid PRIMARY KEY,
  rail text NOT NULL,
  transaction text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  source text NOT NULL,
  target text NOT NULL,
  -- NULL: the one account of its rail
  sender text,
  receiver text NOT NULL,
  -- when the chain took it
  at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('final', 'gone')),
  -- how often it was final: mined again in the same block, it is booked under another id
  bookings integer NOT NULL DEFAULT 1,
  final_at timestamptz NOT NULL,
  gone_at timestamptz,
  -- the payout that ordered it
  payout_id uuid UNIQUE,
  -- or what an operator decided: whose it was, and the ledger transfers that took it from them
  owner_kind text CHECK (owner_kind IN ('operator', 'business', 'user')),
  owner_id text,
  booked_as uuid[],
  decided_at timestamptz,
  decided_by uuid,
  reason text,
  CHECK (source <> target),
  CHECK ((owner_kind IS NULL) = (decided_at IS NULL) AND (owner_kind IS NULL) = (reason IS NULL)),
  CHECK (payout_id IS NULL OR owner_kind IS NULL)
);
CREATE INDEX treasury_moves_unordered ON treasury_moves (ledger_id)
  WHERE target = 'operator' AND state = 'final' AND payout_id IS NULL AND owner_kind IS NULL;
CREATE INDEX payouts_transaction ON payouts (transaction) WHERE transaction IS NOT NULL;

-- What operators kept on Pi, and took from there, belongs to their own pocket; nothing else was ever booked to this one.
UPDATE ledger_accounts SET owner = 'pi:operator' WHERE kind = 'external' AND owner = 'pi:treasury';
