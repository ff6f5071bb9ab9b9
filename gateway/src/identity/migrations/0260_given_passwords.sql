-- Until when a password counts that somebody else gave the account; null: its owner chose it.
ALTER TABLE credentials ADD COLUMN given_until timestamptz;
