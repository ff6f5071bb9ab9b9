-- A link asks for an amount in a currency, or for a price that its customers pay in one that they choose.
ALTER TABLE payment_links
  ALTER COLUMN currency DROP NOT NULL,
  ADD COLUMN price_amount bigint CHECK (price_amount > 0),
  ADD COLUMN price_currency text,
  -- the currencies that its customers may choose from; NULL: all
  ADD COLUMN choices text[],
  ADD CONSTRAINT payment_links_price CHECK (num_nulls(price_amount, price_currency) <> 1),
  ADD CONSTRAINT payment_links_currency CHECK (currency IS NOT NULL OR price_amount IS NOT NULL) NOT VALID;
