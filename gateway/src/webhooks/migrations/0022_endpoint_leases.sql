-- Workers hold endpoints rather than deliveries: what is due is read without a write, and one worker alone knows
-- what it is sending to an endpoint. A crash of the database empties both tables, which sets every endpoint free.
CREATE UNLOGGED TABLE webhook_workers (
  id uuid PRIMARY KEY,
  -- what the worker holds is free to take from then on
  until timestamptz NOT NULL
);

CREATE UNLOGGED TABLE webhook_leases (
  endpoint_id uuid PRIMARY KEY,
  -- the lease holds as long as this worker lives
  worker uuid NOT NULL
);

-- An outcome is recorded only where `attempts` and `status` are still what its sender read.
ALTER TABLE deliveries DROP COLUMN lease, DROP COLUMN lease_until;
