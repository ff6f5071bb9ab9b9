-- What the simulated chain still does with orders to send test money.
CREATE TABLE simulated_send_steps (
  id uuid PRIMARY KEY,
  send_id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'undone', 'failed')),
  transaction text NOT NULL,
  why text,
  done_at timestamptz
);
CREATE INDEX simulated_send_steps_due ON simulated_send_steps (due_at) WHERE done_at IS NULL;
CREATE INDEX simulated_send_steps_send ON simulated_send_steps (send_id) WHERE done_at IS NULL;
