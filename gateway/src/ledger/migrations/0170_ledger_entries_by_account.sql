-- Entries are found by their account alone, and `ledger_entries_account` has their numbers too. The sequence keeps
-- numbers apart, so an index of them costs six rows for a payment and serves nobody.
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_pkey;
