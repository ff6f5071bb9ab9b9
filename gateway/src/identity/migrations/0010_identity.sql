CREATE TABLE integrations (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  -- none, requested, approved, rejected or suspended; only an approved one may take live payments
  approval text NOT NULL DEFAULT 'none'
    CHECK (approval IN ('none', 'requested', 'approved', 'rejected', 'suspended')),
  -- {"bps": 100, "fixed": "0", "floor": "0", "cap": null}: amounts in the payment's own currency
  fee jsonb NOT NULL DEFAULT '{"bps": 100}',
  fee_payer text NOT NULL DEFAULT 'merchant' CHECK (fee_payer IN ('merchant', 'customer')),
  live_deadline_seconds integer NOT NULL DEFAULT 3600 CHECK (live_deadline_seconds BETWEEN 300 AND 86400),
  late_window_seconds integer NOT NULL DEFAULT 86400 CHECK (late_window_seconds >= 0),
  -- how far the integration's test clock is ahead of the real one
  test_clock_seconds bigint NOT NULL DEFAULT 0,
  -- the demo shop listens on a loopback address; nobody else's webhooks may
  allow_private_webhooks boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  integration_id uuid NOT NULL REFERENCES integrations,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  kind text NOT NULL CHECK (kind IN ('signing', 'restricted')),
  hash bytea NOT NULL UNIQUE,
  -- the last characters, so that a person can tell keys apart
  hint text NOT NULL,
  -- signing keys only: the key itself under the master key, because webhooks are signed with it
  sealed bytea,
  -- NULL: every call; NULL: every address
  allowed_actions text[],
  allowed_addresses text[],
  created_at timestamptz NOT NULL,
  -- set when the key was rolled or revoked; a key is good until then
  valid_until timestamptz,
  CHECK ((kind = 'signing') = (sealed IS NOT NULL))
);
CREATE INDEX api_keys_signing ON api_keys (integration_id, mode) WHERE kind = 'signing';
