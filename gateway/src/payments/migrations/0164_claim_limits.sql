-- Limits of claims by a payment's link in units of their own, as decimals by asset; others go by their worth in US dollars.
ALTER TABLE refund_settings ADD COLUMN claim_limits jsonb NOT NULL DEFAULT '{}';
