-- What the merchant asked, where that is a price in other money: `currency`, `amount`, `fee` and `amount_due` are what is paid,
-- and NULL until the customer has chosen with what.
ALTER TABLE payments
  ALTER COLUMN currency DROP NOT NULL,
  ALTER COLUMN amount DROP NOT NULL,
  ALTER COLUMN fee DROP NOT NULL,
  ALTER COLUMN amount_due DROP NOT NULL,
  -- in minor units of its currency
  ADD COLUMN price_amount bigint CHECK (price_amount > 0),
  ADD COLUMN price_currency text,
  -- that of the quote by which it is paid: units of price_currency for one of currency, at 12 decimals
  ADD COLUMN rate numeric(60,0) CHECK (rate > 0),
  -- of a quote that was made with the payment: what each source said. Others are in payment_quotes
  ADD COLUMN rate_sources json,
  -- the currencies that the customer may choose from; NULL: the merchant chose
  ADD COLUMN choices text[],
  ADD CONSTRAINT payments_price CHECK (num_nulls(price_amount, price_currency) <> 1),
  ADD CONSTRAINT payments_open CHECK (
    num_nulls(currency, amount, fee, amount_due) IN (0, 4)
    AND (currency IS NOT NULL OR (choices IS NOT NULL AND price_amount IS NOT NULL))
    AND (rate IS NULL) = (currency IS NULL OR price_amount IS NULL)) NOT VALID;

-- What of a currency pays a price, as it was shown after the customer's choice: one for each payment and currency, kept for
-- ever. No foreign key to payments: a quote is written in the transaction that changes its payment, which is never deleted.
CREATE TABLE payment_quotes (
  payment_id uuid NOT NULL,
  currency text NOT NULL,
  amount numeric(78,0) NOT NULL CHECK (amount > 0),
  fee numeric(78,0) NOT NULL CHECK (fee >= 0 AND fee <= amount),
  amount_due numeric(78,0) NOT NULL CHECK (amount_due >= amount),
  -- how much less than is due completes the payment
  tolerance numeric(78,0) NOT NULL CHECK (tolerance >= 0),
  rate numeric(60,0) NOT NULL CHECK (rate > 0),
  at timestamptz NOT NULL,
  -- what each source said: name, rate, at
  sources jsonb NOT NULL,
  PRIMARY KEY (payment_id, currency)
);

-- The decimals of a quote; NULL: the built-in ones.
ALTER TABLE currency_terms ADD COLUMN quote_decimals smallint CHECK (quote_decimals BETWEEN 0 AND 7);
