-- What operators decided about a user. A frozen wallet gives nothing out; what comes is booked.
ALTER TABLE users
  ADD COLUMN level integer NOT NULL DEFAULT 0 CHECK (level BETWEEN 0 AND 3),
  ADD COLUMN frozen_at timestamptz,
  ADD COLUMN frozen_why text,
  ADD CONSTRAINT users_frozen CHECK ((frozen_at IS NULL) = (frozen_why IS NULL));

-- What users of a level may do with an asset on one UTC day; no row: as much as they have. 'pay_unproved' is what they
-- may pay without a second factor.
CREATE TABLE wallet_limits (
  level integer NOT NULL CHECK (level BETWEEN 0 AND 3),
  action text NOT NULL CHECK (action IN ('send', 'withdraw', 'pay', 'pay_unproved')),
  asset text NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units >= 0),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (level, action, asset)
);
-- What users did with an asset on a UTC day.
CREATE TABLE wallet_sums (
  user_id uuid NOT NULL REFERENCES users,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  action text NOT NULL CHECK (action IN ('send', 'withdraw', 'pay', 'pay_unproved')),
  asset text NOT NULL,
  day date NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units >= 0),
  PRIMARY KEY (user_id, mode, action, asset, day)
);

-- What one user sent to another. The id is also the ledger transfer's.
CREATE TABLE wallet_sends (
  id uuid PRIMARY KEY,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  sender_id uuid NOT NULL REFERENCES users,
  receiver_id uuid NOT NULL REFERENCES users,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  note text,
  -- the form that asked for it, which has one effect however often it comes
  form_key text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (sender_id, form_key),
  CHECK (sender_id <> receiver_id)
);
CREATE INDEX wallet_sends_received ON wallet_sends (receiver_id, id DESC);

-- What users are told of their wallet, in the order in which it happened; append-only.
CREATE TABLE wallet_notices (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users,
  -- NULL: it concerns both
  mode text CHECK (mode IN ('test', 'live')),
  kind text NOT NULL,
  asset text,
  units numeric(78,0),
  -- the other side as people read it: a user's name, an address, a shop
  other text,
  -- what it is about, such as a send or a payout
  about_id uuid,
  created_at timestamptz NOT NULL
);
CREATE INDEX wallet_notices_user ON wallet_notices (user_id, seq DESC);
