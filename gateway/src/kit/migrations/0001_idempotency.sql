-- One row for each Idempotency-Key whose effect is committed. `response` is the exact body to replay;
-- NULL while the effect waits for a system outside this database.
CREATE TABLE idempotency_keys (
  scope text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  response text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
