-- How long a quote of a priced payment holds in live mode, and what is added to its price before it is quoted, in basis
-- points; less than nothing is a discount.
ALTER TABLE integrations
  ADD COLUMN quote_seconds integer NOT NULL DEFAULT 900 CHECK (quote_seconds BETWEEN 300 AND 3600),
  ADD COLUMN price_adjustment integer NOT NULL DEFAULT 0 CHECK (price_adjustment BETWEEN -1000 AND 1000);
