-- In the order in which entries are made PostgreSQL fills the pages of this index; each new entry before the last one of
-- its account left them half empty. The newest entries are read from its end.
DROP INDEX ledger_entries_account;
CREATE INDEX ledger_entries_account ON ledger_entries (account, seq);
