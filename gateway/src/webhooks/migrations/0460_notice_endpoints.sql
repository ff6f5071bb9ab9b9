-- Endpoints that tell a person in place of a merchant's receiver (docs/contract.md#notices): their deliveries are made, sent
-- and tried again as those of webhooks.
ALTER TABLE webhook_endpoints
  ADD COLUMN channel text NOT NULL DEFAULT 'webhook' CHECK (channel IN ('webhook', 'mail', 'day', 'telegram', 'push')),
  -- who is told; NULL: it is a webhook
  ADD COLUMN account_id uuid,
  -- the device of a push
  ADD COLUMN device_id uuid,
  -- the payment that it was told of as the first of a day, and when that day ends
  ADD COLUMN first_event uuid,
  ADD COLUMN first_after timestamptz,
  -- when the day's account is due, and the last events.seq that the one before counted
  ADD COLUMN day_due_at timestamptz,
  ADD COLUMN day_seq bigint,
  ADD CHECK ((channel = 'webhook') = (account_id IS NULL)),
  ADD CHECK ((channel = 'push') = (device_id IS NOT NULL)),
  ADD CHECK ((day_due_at IS NULL) = (day_seq IS NULL));
CREATE INDEX webhook_endpoints_account ON webhook_endpoints (account_id)
  WHERE account_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX webhook_endpoints_day ON webhook_endpoints (day_due_at) WHERE day_due_at IS NOT NULL AND deleted_at IS NULL;
