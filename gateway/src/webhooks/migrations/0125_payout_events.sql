-- Events of payouts beside those of payments and endpoints.
ALTER TABLE events
  ADD COLUMN payout_id uuid,
  -- what the merchant called the payout; NULL: nothing, or the event is of no payout
  ADD COLUMN payout_reference text,
  DROP CONSTRAINT events_subject,
  ADD CONSTRAINT events_subject CHECK (num_nonnulls(payment_id, payout_id, about_endpoint_id) = 1) NOT VALID;
-- The dashboard finds the events of one payout by either.
CREATE INDEX events_payout ON events (payout_id) WHERE payout_id IS NOT NULL;
CREATE INDEX events_payout_reference ON events (payout_reference) WHERE payout_reference IS NOT NULL;
