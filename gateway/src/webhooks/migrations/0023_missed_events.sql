-- An event of an endpoint, not of a payment: it has a subject of its own.
ALTER TABLE events
  ALTER COLUMN payment_id DROP NOT NULL,
  -- the endpoint that it is about, which is never sent it
  ADD COLUMN about_endpoint_id uuid,
  ADD CONSTRAINT events_subject CHECK (num_nonnulls(payment_id, about_endpoint_id) = 1) NOT VALID;

ALTER TABLE webhook_endpoints
  -- While it is paused or disabled it misses the events after this events.seq. Activating it sets the end.
  ADD COLUMN missed_after bigint,
  ADD COLUMN missed_until bigint,
  ADD COLUMN missing_since timestamptz,
  -- What was being written while it was activated lies after this events.seq, and is looked for at that time.
  ADD COLUMN settle_after bigint,
  ADD COLUMN settle_at timestamptz,
  ADD CHECK ((missed_after IS NULL) = (missing_since IS NULL)),
  ADD CHECK (missed_until IS NULL OR missed_after IS NOT NULL),
  ADD CHECK ((settle_after IS NULL) = (settle_at IS NULL));
CREATE INDEX webhook_endpoints_settle ON webhook_endpoints (settle_at) WHERE settle_at IS NOT NULL;

-- Nobody noted since when they miss events: the last change is the best that is known.
UPDATE webhook_endpoints w
SET missing_since = updated_at, missed_after = coalesce((
  SELECT max(seq) FROM events e
  WHERE e.integration_id = w.integration_id AND e.mode = w.mode AND e.created_at < w.updated_at
), 0)
WHERE status <> 'active' AND deleted_at IS NULL;

-- The last replay of each endpoint. It is done in many small commits, and these are how far it came.
CREATE TABLE webhook_replays (
  endpoint_id uuid PRIMARY KEY,
  -- only what is not older; NULL: all
  since timestamptz,
  -- failed deliveries with an id after the one and not after the other are still to be queued
  failed_after uuid NOT NULL,
  failed_until uuid NOT NULL,
  -- the same of missed events, by events.seq
  missed_after bigint NOT NULL,
  missed_until bigint NOT NULL,
  queued integer NOT NULL DEFAULT 0,
  -- how many there were when it began; NULL: too many to count
  total integer,
  started_at timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE INDEX webhook_replays_unfinished ON webhook_replays (endpoint_id) WHERE finished_at IS NULL;
