-- The simulated chain: what it will show of a transfer, and when.
CREATE TABLE simulated_steps (
  id uuid PRIMARY KEY,
  integration_id uuid NOT NULL,
  payment_id uuid NOT NULL,
  transaction text NOT NULL,
  asset text NOT NULL,
  units numeric(78,0) NOT NULL,
  state text NOT NULL CHECK (state IN ('seen', 'final', 'gone')),
  confirmations integer NOT NULL,
  due_at timestamptz NOT NULL,
  done_at timestamptz
);
CREATE INDEX simulated_steps_due ON simulated_steps (due_at) WHERE done_at IS NULL;
CREATE INDEX simulated_steps_open ON simulated_steps (payment_id, due_at, id) WHERE done_at IS NULL;
