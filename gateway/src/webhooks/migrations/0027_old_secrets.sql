-- Secrets that go on signing beside their endpoint's own until they end: as many as were rolled within their overlaps.
CREATE TABLE webhook_old_secrets (
  endpoint_id uuid NOT NULL REFERENCES webhook_endpoints,
  -- under the master key, like the endpoint's own
  secret bytea NOT NULL,
  valid_until timestamptz NOT NULL
);
CREATE INDEX webhook_old_secrets_endpoint ON webhook_old_secrets (endpoint_id);

INSERT INTO webhook_old_secrets (endpoint_id, secret, valid_until)
SELECT id, old_secret, old_secret_valid_until FROM webhook_endpoints
WHERE old_secret_valid_until > now() AND deleted_at IS NULL;

ALTER TABLE webhook_endpoints DROP COLUMN old_secret, DROP COLUMN old_secret_valid_until;
