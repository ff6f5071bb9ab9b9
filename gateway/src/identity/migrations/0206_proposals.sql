-- Acts of operators that wait for another operator, or for a day to pass. The input is that of the call that asked:
-- what it says is judged again when it is carried out.
CREATE TABLE proposals (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  -- {"params": {...}, "body": {...}}
  input jsonb NOT NULL,
  -- what it is about, if that is known before it is done
  target text,
  -- as the audit log would have it
  subject_kind text NOT NULL,
  subject_id text NOT NULL,
  before jsonb,
  after jsonb,
  merchant_id uuid,
  integration_id uuid,
  asked_at timestamptz NOT NULL,
  asked_by uuid NOT NULL REFERENCES accounts,
  asked_from text,
  -- when it is carried out unless somebody stops it; NULL: another operator has to confirm it
  due_at timestamptz,
  expires_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'open'
    CHECK (state IN ('open', 'done', 'refused', 'cancelled', 'expired', 'failed')),
  ended_at timestamptz,
  -- NULL: the gateway itself
  ended_by uuid REFERENCES accounts,
  why text,
  CHECK ((state = 'open') = (ended_at IS NULL))
);
CREATE UNIQUE INDEX proposals_open ON proposals (kind, target) WHERE state = 'open' AND target IS NOT NULL;
CREATE INDEX proposals_waiting ON proposals (id) WHERE state = 'open';
