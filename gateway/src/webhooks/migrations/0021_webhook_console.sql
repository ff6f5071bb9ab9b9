-- What people set and see of an endpoint in the dashboard.
ALTER TABLE webhook_endpoints
  ADD COLUMN description text NOT NULL DEFAULT '',
  -- the merchant's own headers, as JSON under the master key, because some are secrets; NULL: none
  ADD COLUMN headers bytea,
  -- when it first took an event that no test button made
  ADD COLUMN verified_at timestamptz;

-- Failures are few and looked for among millions. Its columns are indexed anyway, so that no update costs more.
CREATE INDEX deliveries_failed ON deliveries (endpoint_id, id) WHERE status = 'failed';
CREATE INDEX events_reference ON events (payment_reference);

-- How attempts went, counted by the hour; the last days of each endpoint.
CREATE TABLE webhook_hours (
  endpoint_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  delivered boolean NOT NULL,
  -- they took no longer than this, and longer than the next smaller bound
  within_ms integer NOT NULL,
  attempts integer NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (endpoint_id, hour, delivered, within_ms)
);
