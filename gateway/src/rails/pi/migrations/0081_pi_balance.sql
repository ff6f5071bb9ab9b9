-- The account's balance as a check of what was read: what the records since the last agreement come to must be what the
-- balance has changed by.
ALTER TABLE pi_accounts
  -- at the end of this ledger the account held so much, and everything up to there was read; NULL: never compared
  ADD COLUMN agreed_ledger bigint,
  ADD COLUMN agreed_units numeric(78,0),
  -- by how much the balance is above what the records say, and at how many looks in a row it differed
  ADD COLUMN difference numeric(78,0),
  ADD COLUMN differing_looks integer NOT NULL DEFAULT 0,
  -- up to here the ledgers since the agreement were read once more; NULL: that is not under way
  ADD COLUMN back_cursor numeric(20,0),
  -- how often they were, for the same difference and in vain, and when they are read again
  ADD COLUMN back_tries integer NOT NULL DEFAULT 0,
  ADD COLUMN back_after timestamptz,
  ADD CHECK ((agreed_ledger IS NULL) = (agreed_units IS NULL)),
  ADD CHECK ((difference IS NULL) = (differing_looks = 0)),
  ADD CHECK (back_cursor IS NULL OR difference IS NOT NULL);
CREATE INDEX pi_records_place ON pi_records (account, paging_token);
