-- Audits of the ledger that operators asked for.
CREATE TABLE ledger_audits (
  id uuid PRIMARY KEY,
  -- who asked, as they were known then
  asked_by text NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'clean', 'faults', 'failed')),
  checks_done integer NOT NULL DEFAULT 0,
  checks_total integer NOT NULL,
  started_at timestamptz NOT NULL,
  -- the process that runs it says so every few seconds; one that fell silent is gone
  seen_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- counts and findings
  report jsonb,
  error text
);
CREATE INDEX ledger_audits_running ON ledger_audits (seen_at) WHERE state = 'running';

-- Sums over one kind of account.
CREATE INDEX ledger_accounts_kind ON ledger_accounts (kind, mode, asset);
