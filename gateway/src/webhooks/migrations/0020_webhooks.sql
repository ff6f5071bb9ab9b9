-- events, deliveries and delivery_attempts carry no foreign keys: checking one takes a lock on the row it
-- points at, so that every payment of a busy integration would queue on that integration's row, and old
-- events could not be cleared away without visiting what they once belonged to.

CREATE TABLE events (
  id uuid PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  integration_id uuid NOT NULL,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  type text NOT NULL,
  payment_id uuid NOT NULL,
  payment_reference text NOT NULL,
  -- the event's number within its payment, from 1
  sequence integer NOT NULL,
  -- the exact text that is signed and sent, today and at every re-send
  body text NOT NULL,
  -- set for a test button's event: it goes to this endpoint alone, also when it is sent again
  only_endpoint_id uuid,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- Lists with and without a type filter read this one: without, it is read once for each type.
CREATE INDEX events_list ON events (integration_id, mode, type, seq);

CREATE TABLE webhook_endpoints (
  id uuid PRIMARY KEY,
  integration_id uuid NOT NULL REFERENCES integrations,
  mode text NOT NULL CHECK (mode IN ('test', 'live')),
  url text NOT NULL,
  events text[] NOT NULL,
  -- disabled: by Florin, after days in which every attempt failed
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'disabled')),
  disabled_reason text,
  -- whsec_ secrets under the master key; the old one goes on signing beside the new one until its end
  secret bytea NOT NULL,
  old_secret bytea,
  old_secret_valid_until timestamptz,
  -- since when every attempt has failed; NULL after a success
  failing_since timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  CHECK ((old_secret IS NULL) = (old_secret_valid_until IS NULL)),
  CHECK ((status = 'disabled') = (disabled_reason IS NOT NULL))
);
CREATE INDEX webhook_endpoints_owner ON webhook_endpoints (integration_id, mode) WHERE deleted_at IS NULL;

CREATE TABLE deliveries (
  endpoint_id uuid NOT NULL,
  -- version 7: an endpoint's deliveries lie in the order of their making
  id uuid NOT NULL,
  event_id uuid NOT NULL,
  integration_id uuid NOT NULL,
  mode text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz DEFAULT now(),
  -- A worker holds the row until then. `lease` counts the claims: who took an older one records nothing.
  lease_until timestamptz,
  lease integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (endpoint_id, id),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
) WITH (fillfactor = 70);
CREATE INDEX deliveries_due ON deliveries (endpoint_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX deliveries_due_test ON deliveries (integration_id, next_attempt_at)
  WHERE status = 'pending' AND mode = 'test';
CREATE INDEX deliveries_event ON deliveries (event_id);

CREATE TABLE delivery_attempts (
  delivery_id uuid NOT NULL,
  n integer NOT NULL,
  at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  status_code integer,
  error text,
  -- as they stood in the message: "Name: value" lines
  request_headers text,
  response_headers text,
  -- the beginning of the answer, 64 KiB at most
  response text,
  PRIMARY KEY (delivery_id, n)
);
