ALTER TABLE integrations
  -- where customers go when a payment names no address of its own
  ADD COLUMN success_url text,
  ADD COLUMN failure_url text,
  -- names the logo's bytes; part of its address, so that a new logo has a new one
  ADD COLUMN logo_hash text,
  ADD COLUMN domain text,
  -- what the domain's owner publishes there to prove that it is theirs
  ADD COLUMN domain_token text,
  ADD COLUMN domain_verified_at timestamptz,
  ADD COLUMN fee_accepted_at timestamptz,
  ADD COLUMN approval_requested_at timestamptz,
  ADD COLUMN approval_decided_at timestamptz,
  -- why it was rejected or suspended, in the operator's words to the merchant
  ADD COLUMN approval_reason text,
  ADD CHECK (domain_verified_at IS NULL OR domain IS NOT NULL);
CREATE INDEX integrations_approval ON integrations (approval, id DESC);

-- Apart from the integration, whose row every request of its keys reads.
CREATE TABLE integration_logos (
  integration_id uuid PRIMARY KEY REFERENCES integrations,
  hash text NOT NULL,
  content_type text NOT NULL CHECK (content_type IN ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea NOT NULL CHECK (length(bytes) <= 102400)
);
