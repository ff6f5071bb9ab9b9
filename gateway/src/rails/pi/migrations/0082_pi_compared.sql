-- The close time of the newest ledger up to which nothing is missing, as far as the balance can tell; NULL: not known yet.
ALTER TABLE pi_accounts ADD COLUMN compared_through timestamptz;
