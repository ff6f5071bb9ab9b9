-- By which API key and from which address a transfer was asked for, where a key asked for it: the entry of the audit log for
-- what moves too often to have one of its own. Written with the transfer, and never changed.
ALTER TABLE ledger_transfers ADD COLUMN key_id uuid, ADD COLUMN address text;
