-- The link of the first run (docs/contract.md#first-run): one at most, and none once there is an operator.
CREATE TABLE setup_links (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  token_hash text NOT NULL,
  expires_at timestamptz NOT NULL
);

-- What is left to do on an installation that was set up by a link; no row: it was never listed.
CREATE TABLE setup_steps (
  step text PRIMARY KEY
    CHECK (step IN ('account', 'address', 'mail', 'master_key', 'chains', 'treasury', 'rates', 'backups')),
  done_at timestamptz,
  done_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  -- When the secret of the step was shown, which happens once.
  shown_at timestamptz,
  CHECK (done_by IS NULL OR done_at IS NOT NULL)
);

-- What a person must bring back to prove a step: a code from a mail, or a call through the public address.
CREATE TABLE setup_checks (
  id uuid PRIMARY KEY,
  step text NOT NULL CHECK (step IN ('address', 'mail')),
  secret_hash text NOT NULL,
  made_by uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  -- Wrong tries of a code.
  tries integer NOT NULL DEFAULT 0,
  -- What the gateway saw of the call.
  seen jsonb
);
CREATE INDEX setup_checks_by_person ON setup_checks (made_by);
