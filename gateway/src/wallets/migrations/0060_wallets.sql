-- People with a wallet here. Usernames are compared as they are written.
CREATE TABLE users (
  id uuid PRIMARY KEY,
  username text NOT NULL UNIQUE,
  password_hash text NOT NULL,
  created_at timestamptz NOT NULL
);

-- Credits that another system was asked to book. The id is also the ledger hold's, and the remote's
-- idempotency key. Pending until the remote's word on it is certain.
CREATE TABLE remote_fundings (
  id uuid PRIMARY KEY REFERENCES ledger_holds,
  integration_id uuid NOT NULL,
  mode text NOT NULL,
  username text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL,
  idempotency_scope text,
  idempotency_key text,
  -- what its request was or will be answered with
  response text NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'posted', 'voided')),
  -- set where the remote could not take back what had been asked to be taken back
  irreversible boolean NOT NULL DEFAULT false,
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX remote_fundings_pending ON remote_fundings (next_try_at) WHERE state = 'pending';
CREATE INDEX remote_fundings_key ON remote_fundings (idempotency_scope, idempotency_key)
  WHERE state = 'pending';
