-- What the payments that were created within 15 minutes, an hour and a day (UTC) came to, where they are more than a few:
-- each status, paid currency and price currency with its number of payments, and what came of those that are completed. A loop
-- adds them up as far as `payment_totals_until` says.
CREATE TABLE payment_totals (
  integration_id uuid NOT NULL,
  mode text NOT NULL,
  minutes integer NOT NULL CHECK (minutes IN (15, 60, 1440)),
  since timestamptz NOT NULL,
  statuses text[] NOT NULL,
  currencies text[] NOT NULL,
  price_currencies text[] NOT NULL,
  counts integer[] NOT NULL,
  units numeric[] NOT NULL,
  price_units numeric[] NOT NULL,
  PRIMARY KEY (integration_id, mode, minutes, since)
);
CREATE TABLE payment_totals_until (
  integration_id uuid NOT NULL,
  mode text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (integration_id, mode)
);

-- The 15 minutes of payments that have changed when they were older than an hour, by any version of Florin: what was added up of them is not
-- used until the loop has added it up again, and taken the row away.
CREATE TABLE payment_late_changes (
  integration_id uuid NOT NULL,
  mode text NOT NULL,
  since timestamptz NOT NULL
);
CREATE INDEX payment_late_changes_since ON payment_late_changes (integration_id, mode, since);

CREATE FUNCTION note_late_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_late_changes (integration_id, mode, since)
  VALUES (NEW.integration_id, NEW.mode, date_bin('15 minutes', NEW.created_at, '2000-01-01 00:00:00+00'));
  RETURN NULL;
END $$;
CREATE TRIGGER payments_late_change AFTER UPDATE OF status, currency, amount, price_amount, price_currency, short_units
  ON payments FOR EACH ROW
  WHEN (OLD.created_at < greatest(NEW.updated_at, now()) - interval '1 hour'
    AND (OLD.status, OLD.currency, OLD.amount, OLD.price_amount, OLD.price_currency, OLD.short_units)
      IS DISTINCT FROM (NEW.status, NEW.currency, NEW.amount, NEW.price_amount, NEW.price_currency, NEW.short_units))
  EXECUTE FUNCTION note_late_change();
