-- What the payments of an hour came to in prices, beside what was paid of them: the entries of the lists are of one status,
-- paid currency and price currency each. `price_changes` is `changes` where the lists have prices; the version before does
-- not write it.
ALTER TABLE payment_hours
  ADD COLUMN price_currencies text[],
  ADD COLUMN price_units numeric[],
  ADD COLUMN price_changes integer;
