-- Orders that repeat: what a balance has above an amount is paid out at 00:00 UTC of each day, Monday or first of a month.
CREATE TABLE payout_schedules (
  id uuid PRIMARY KEY,
  integration_id uuid NOT NULL,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  asset text NOT NULL,
  -- units that stay in the balance, and the most that one payout may be
  keep numeric(78,0) NOT NULL CHECK (keep >= 0),
  most numeric(78,0) NOT NULL CHECK (most > 0),
  every text NOT NULL CHECK (every IN ('day', 'week', 'month')),
  address_id uuid NOT NULL REFERENCES payout_addresses,
  -- who set it up asks for each of its payouts
  requested_by uuid NOT NULL,
  requester text NOT NULL,
  approvals_needed integer NOT NULL CHECK (approvals_needed >= 0),
  -- NULL while it waits for approval, and after it ended
  next_at timestamptz,
  -- what came of the last time: a payout, or why there was none
  last_at timestamptz,
  last_payout_id uuid,
  last_skip text,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  ended_by text
);
CREATE UNIQUE INDEX payout_schedules_one ON payout_schedules (integration_id, mode, asset) WHERE ended_at IS NULL;
CREATE INDEX payout_schedules_due ON payout_schedules (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE payout_schedule_approvals (
  schedule_id uuid NOT NULL REFERENCES payout_schedules,
  account_id uuid NOT NULL,
  approver text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (schedule_id, account_id)
);
