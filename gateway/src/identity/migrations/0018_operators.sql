-- A merchant that an operator stopped, and the integrations that were approved until then.
ALTER TABLE merchants
  ADD COLUMN suspended_at timestamptz,
  ADD COLUMN suspended_reason text,
  ADD COLUMN suspended_integrations uuid[] NOT NULL DEFAULT '{}';

-- What every gateway process of this installation says of itself, every few seconds.
CREATE TABLE gateway_processes (
  id uuid PRIMARY KEY,
  host text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  -- [{name, every_seconds, last_done_at, last_fault}]
  loops jsonb NOT NULL
);
CREATE INDEX gateway_processes_seen ON gateway_processes (seen_at);
