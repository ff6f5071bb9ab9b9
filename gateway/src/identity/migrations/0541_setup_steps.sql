-- What is left to set up on an installation that the link of the first run began (docs/contract.md#first-run); no row: another way began it.
CREATE TABLE setup_steps (
  step text PRIMARY KEY
    CHECK (step IN ('account', 'address', 'mail', 'master_key', 'chains', 'treasury', 'rates', 'backups')),
  done_at timestamptz,
  done_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  -- When the master key was shown, which happens once.
  shown_at timestamptz,
  -- The code of the newest test mail; it opens nothing.
  code_hash text,
  code_until timestamptz,
  code_tries integer NOT NULL DEFAULT 0,
  CHECK (done_by IS NULL OR done_at IS NOT NULL),
  CHECK (shown_at IS NULL OR step = 'master_key'),
  CHECK ((code_hash IS NULL) = (code_until IS NULL) AND (code_hash IS NULL OR step = 'mail'))
);
