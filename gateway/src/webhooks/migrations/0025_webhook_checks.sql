-- Receiver checks of test endpoints: the last ones of each. A row is written by the one process that runs the
-- check, after every exchange; past its deadline nobody does any more.
CREATE TABLE webhook_checks (
  id uuid PRIMARY KEY,
  endpoint_id uuid NOT NULL,
  url text NOT NULL,
  started_at timestamptz NOT NULL,
  deadline timestamptz NOT NULL,
  finished_at timestamptz,
  -- planned, score, diagnosis, rules, exchanges
  findings jsonb NOT NULL
);
CREATE INDEX webhook_checks_list ON webhook_checks (endpoint_id, id);
-- One at a time: two at once would be taken for each other's faults.
CREATE UNIQUE INDEX webhook_checks_running ON webhook_checks (endpoint_id) WHERE finished_at IS NULL;
