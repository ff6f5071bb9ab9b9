-- Entries of an account in a block of 256 numbers are one list of row numbers in this index, of 6 bytes each, in place of
-- an entry of 28 bytes each: six of them for a payment. What reads them asks for blocks, and looks at the numbers in them.
DROP INDEX ledger_entries_account;
CREATE INDEX ledger_entries_account ON ledger_entries (account, (seq >> 8));
