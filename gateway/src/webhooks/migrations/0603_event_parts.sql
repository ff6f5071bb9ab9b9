-- Events are divided by time, and leave by whole parts (0600). What there is becomes the first part.
ALTER TABLE events RENAME TO events_rest;
ALTER INDEX events_pkey RENAME TO events_rest_pkey;
ALTER INDEX events_list RENAME TO events_rest_list;
ALTER INDEX events_reference RENAME TO events_rest_reference;
ALTER INDEX events_payout RENAME TO events_rest_payout;
ALTER INDEX events_payout_reference RENAME TO events_rest_payout_reference;
CREATE TABLE events (
  seq bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  sequence integer NOT NULL,
  id uuid PRIMARY KEY,
  integration_id uuid NOT NULL,
  payment_id uuid,
  payout_id uuid,
  only_endpoint_id uuid,
  about_endpoint_id uuid,
  mode text NOT NULL CONSTRAINT events_mode_check CHECK (mode IN ('test', 'live')),
  type text NOT NULL,
  payment_reference text NOT NULL,
  payout_reference text,
  body text NOT NULL
) PARTITION BY RANGE (id);
ALTER TABLE events
  ADD CONSTRAINT events_subject CHECK (num_nonnulls(payment_id, payout_id, about_endpoint_id) = 1) NOT VALID;
CREATE INDEX events_list ON events (integration_id, mode, type, seq);
CREATE INDEX events_reference ON events (payment_reference);
CREATE INDEX events_payout ON events (payout_id) WHERE payout_id IS NOT NULL;
CREATE INDEX events_payout_reference ON events (payout_reference) WHERE payout_reference IS NOT NULL;
-- The numbers go on where they were.
DO $$
DECLARE
  next bigint := nextval('events_seq_seq');
BEGIN
  ALTER TABLE events_rest ALTER COLUMN seq DROP IDENTITY;
  ALTER TABLE events ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY;
  PERFORM setval('events_seq_seq', next, false);
END $$;
ALTER TABLE events ATTACH PARTITION events_rest DEFAULT;
SELECT keep_parts('events', 7) FROM generate_series(1, 3) WHERE NOT EXISTS (SELECT FROM events);
