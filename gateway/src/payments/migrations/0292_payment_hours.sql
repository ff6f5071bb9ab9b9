-- What the payments that were created in an hour came to when the overview last counted them: each status and currency with
-- its number of payments and the units of those that are completed. The hours of the last two days are not kept, and no
-- others than were asked for.
CREATE TABLE payment_hours (
  integration_id uuid NOT NULL,
  mode text NOT NULL,
  hour timestamptz NOT NULL,
  -- how many changes of the hour were known then; with more of them it is counted again
  changes integer NOT NULL,
  statuses text[] NOT NULL,
  currencies text[] NOT NULL,
  counts integer[] NOT NULL,
  units numeric[] NOT NULL,
  PRIMARY KEY (integration_id, mode, hour)
);
-- That payments of an hour have changed which were older than a day. Rows are only added, so that nobody who changes payments
-- waits for anybody.
CREATE TABLE payment_hour_changes (
  integration_id uuid NOT NULL,
  mode text NOT NULL,
  hour timestamptz NOT NULL
);
CREATE INDEX payment_hour_changes_hour ON payment_hour_changes (integration_id, mode, hour);
