-- Sending PI. No money is booked here: what left is booked when the reader sees it on the network.

-- Orders to send, each carried out once or not at all.
CREATE TABLE pi_sends (
  id uuid PRIMARY KEY,
  -- the network and account that it was ordered of: with another configuration it waits
  passphrase text NOT NULL,
  account text COLLATE "C" NOT NULL,
  units numeric(78,0) NOT NULL CHECK (units > 0),
  -- where to; of an app-to-user payment the Pi platform names it, and the memo
  destination text COLLATE "C",
  memo text,
  -- the user of an app-to-user payment, and the platform's identifier for it
  user_uid text,
  identifier text UNIQUE,
  -- 'signed': one of its envelopes is under way or was applied; 'settled': the reader saw it leave the account
  state text NOT NULL CHECK (state IN ('queued', 'signed', 'settled', 'failed')),
  -- what keeps it from being sent, or why it failed, in words
  fault text,
  -- how often it was tried in vain, and when it is tried again
  tries integer NOT NULL DEFAULT 0,
  retry_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  -- up to then nothing had left the account that would have carried it out already, by the network's time
  looked_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- when the platform was told how it ended, and when it is told again after that failed
  closed_at timestamptz,
  close_after timestamptz,
  CHECK ((destination IS NULL) <= (user_uid IS NOT NULL AND identifier IS NULL)),
  CHECK ((ended_at IS NOT NULL) = (state IN ('settled', 'failed')))
);
CREATE INDEX pi_sends_queue ON pi_sends (passphrase, account, created_at, id) WHERE state = 'queued';
CREATE INDEX pi_sends_unclosed ON pi_sends (passphrase, account) WHERE identifier IS NOT NULL AND closed_at IS NULL;

-- Every transaction that was ever signed for an order, written before it was submitted.
CREATE TABLE pi_envelopes (
  hash text COLLATE "C" PRIMARY KEY,
  send_id uuid NOT NULL REFERENCES pi_sends,
  passphrase text NOT NULL,
  account text COLLATE "C" NOT NULL,
  -- base 64 of its XDR, with the signatures
  envelope text COLLATE "C" NOT NULL,
  sequence numeric(20,0) NOT NULL,
  -- the most that it pays to the network, and what it did pay
  max_fee numeric(78,0) NOT NULL,
  fee numeric(78,0),
  -- no ledger that closes later takes it
  max_time timestamptz NOT NULL,
  -- 'applied': the network shows it; 'failed': it shows it, and it moved nothing; 'void': it never will be there
  state text NOT NULL CHECK (state IN ('open', 'applied', 'failed', 'void')),
  -- the result codes that Horizon last gave
  said text,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  CHECK ((ended_at IS NULL) = (state = 'open'))
);
-- One is under way at any time, whoever sends.
CREATE UNIQUE INDEX pi_envelopes_open ON pi_envelopes (passphrase, account) WHERE state = 'open';
CREATE INDEX pi_envelopes_send ON pi_envelopes (send_id);
CREATE INDEX pi_envelopes_used ON pi_envelopes (passphrase, account, sequence DESC) WHERE state IN ('applied', 'failed');

-- The one place from which an account's transactions are sent; whoever holds it sends.
CREATE TABLE pi_lanes (
  passphrase text NOT NULL,
  account text COLLATE "C" NOT NULL,
  holder uuid NOT NULL,
  held_until timestamptz NOT NULL,
  -- what keeps it from sending, in words
  fault text,
  PRIMARY KEY (passphrase, account)
);
